package builtin

import (
	"math"
	"math/big"
	"sync"
)

// anglePrec is the precision in bits at which angles are reduced. It keeps of the largest one more binary places than a float64 has.
const anglePrec = maxBits + 1200

// turned makes the sine of an angle that is some quarter turns ahead: 0 is the sine, 1 the cosine. Where the angle is a rounded
// number, so many digits of the result are known as the angle has left after its last turn: sin(pi) is 0.
func turned(ahead int64) func([]value) (value, error) {
	return func(a []value) (value, error) {
		if a[0].exact != nil && a[0].sign() == 0 {
			return whole(ahead), nil
		}
		doubt, err := a[0].angleDoubt()
		if err != nil {
			return value{}, err
		}
		return inexact(known(sine(a[0].rational(), ahead), doubt))
	}
}

func tangent(a []value) (value, error) {
	if a[0].exact != nil && a[0].sign() == 0 {
		return whole(0), nil
	}
	doubt, err := a[0].angleDoubt()
	if err != nil {
		return value{}, err
	}
	angle := a[0].rational()
	t := sine(angle, 0) / sine(angle, 1)
	v := known(t, doubt*(1+t*t))
	if v == 0 && math.Abs(t) > 1 {
		return value{}, errNotReal
	}
	return inexact(v)
}

// angleDoubt is how far an angle may be off. One that may point anywhere is an error.
func (v value) angleDoubt() (float64, error) {
	doubt := math.Abs(v.rounded) * epsilon
	if doubt > 0.1 {
		return 0, errLost
	}
	return doubt, nil
}

// sine is the sine of an angle some quarter turns ahead, right to a float64 whatever the size of the angle.
func sine(angle *big.Rat, ahead int64) float64 {
	x := new(big.Float).SetPrec(anglePrec).SetRat(angle)
	turns := new(big.Float).Quo(x, quarterTurn())
	n, _ := turns.Add(turns, big.NewFloat(math.Copysign(0.5, float64(x.Sign())))).Int(nil)
	turns.SetInt(n)
	rest, _ := x.Sub(x, turns.Mul(turns, quarterTurn())).Float64()
	switch n.Add(n, big.NewInt(ahead)).And(n, big.NewInt(3)).Int64() {
	case 0:
		return math.Sin(rest)
	case 1:
		return math.Cos(rest)
	case 2:
		return -math.Sin(rest)
	}
	return -math.Cos(rest)
}

// quarterTurn is π/2, by Machin's formula.
var quarterTurn = sync.OnceValue(func() *big.Float {
	const guard = 32
	unit := new(big.Int).Lsh(big.NewInt(1), anglePrec+guard)
	a, b := arccot(5, unit), arccot(239, unit)
	f := new(big.Float).SetPrec(anglePrec).SetInt(a.Sub(a.Lsh(a, 3), b.Lsh(b, 1))) // 8a - 2b
	return f.SetMantExp(f, -(anglePrec + guard))
})

// arccot is the arc cotangent of a whole number, in parts of unit.
func arccot(of int64, unit *big.Int) *big.Int {
	square := big.NewInt(-of * of)
	power := new(big.Int).Quo(unit, big.NewInt(of))
	sum := new(big.Int)
	for odd := int64(1); power.Sign() != 0; odd += 2 {
		sum.Add(sum, new(big.Int).Quo(power, big.NewInt(odd)))
		power.Quo(power, square)
	}
	return sum
}
