package builtin

import (
	"math"
	"math/big"
)

func power(a, b value) (value, error) {
	if a.exact != nil && b.exact != nil {
		if v, ok, err := exactPower(a.exact, b.exact); ok || err != nil {
			return v, err
		}
	}
	if a.sign() == 0 && b.sign() < 0 {
		return value{}, errDivideByZero
	}
	f := math.Pow(a.float(), b.float())
	if a.exact != nil {
		var err error
		if f, err = longPower(a.exact, b.rational()); err != nil {
			return value{}, err
		}
	}
	if _, err := inexact(f); err != nil || f == 0 {
		return value{rounded: f}, err
	}
	var doubt float64 // how many times that of a rounded number
	if a.exact == nil {
		doubt = math.Abs(b.float())
	}
	if b.exact == nil {
		doubt += math.Abs(b.rounded * logFloat(absolute(a)))
	}
	if f = known(f, math.Abs(f)*(doubt*epsilon)); f == 0 {
		return value{}, errLost
	}
	return value{rounded: f}, nil
}

// exactPower raises to a whole power, or half of one where the root is exact; ok is false where the result has to be rounded.
func exactPower(a, b *big.Rat) (v value, ok bool, err error) {
	if b.Denom().IsInt64() && b.Denom().Int64() == 2 && a.Sign() > 0 {
		root, ok := exactRoot(a)
		if !ok {
			return value{}, false, nil
		}
		return exactPower(root, new(big.Rat).SetInt(b.Num()))
	}
	if !b.IsInt() {
		return value{}, false, nil
	}
	if a.Sign() == 0 && b.Sign() < 0 {
		return value{}, false, errDivideByZero
	}
	n := new(big.Int).Abs(b.Num())
	if small := a.Num().BitLen() <= 1 && a.IsInt(); small { // 0, 1 and -1 do not grow
		n.And(n, big.NewInt(1))
		if b.Sign() != 0 && n.Sign() == 0 {
			n.SetInt64(2)
		}
	} else if !n.IsInt64() || n.Int64() > maxBits || n.Int64()*int64(bits(a)-2) > maxBits {
		return value{}, false, nil
	}
	r := new(big.Rat).SetFrac(new(big.Int).Exp(a.Num(), n, nil), new(big.Int).Exp(a.Denom(), n, nil))
	if b.Sign() < 0 {
		r.Inv(r)
	}
	v, err = fitted(r)
	return v, true, err
}

// exactRoot is the square root of a positive fraction where it is a fraction itself.
func exactRoot(r *big.Rat) (*big.Rat, bool) {
	num, den := new(big.Int).Sqrt(r.Num()), new(big.Int).Sqrt(r.Denom())
	root := new(big.Rat).SetFrac(num, den)
	return root, new(big.Rat).Mul(root, root).Cmp(r) == 0
}

// longPower raises to a power of any size, and what rounding the base would grow to is not in the result.
func longPower(a, b *big.Rat) (float64, error) {
	n, rest := split(b)
	if n.BitLen() > 1024 {
		return 0, errExponent
	}
	prec := uint(n.BitLen() + 80) // each bit of n may double the error
	x := new(big.Float).SetPrec(prec).SetRat(a)
	p := new(big.Float).SetPrec(prec).SetInt64(1)
	exponent := new(big.Int).Abs(n)
	for i := exponent.BitLen() - 1; i >= 0; i-- {
		if p.Mul(p, p); exponent.Bit(i) == 1 {
			p.Mul(p, x)
		}
	}
	if n.Sign() < 0 {
		p.Quo(big.NewFloat(1), p)
	}
	f, _ := p.Float64()
	base, _ := a.Float64()
	return f * math.Pow(base, rest), nil
}

// split cuts what is behind the point from a fraction.
func split(r *big.Rat) (n *big.Int, rest float64) {
	n = new(big.Int).Quo(r.Num(), r.Denom())
	rest, _ = new(big.Rat).Sub(r, new(big.Rat).SetInt(n)).Float64()
	return n, rest
}

func exponential(a []value) (value, error) {
	if a[0].exact != nil && a[0].sign() == 0 {
		return whole(1), nil
	}
	n, rest := split(a[0].rational())
	e, _ := new(big.Float).SetInt(n).Float64()
	f := math.Exp(e) * math.Exp(rest)
	if a[0].exact == nil {
		f = known(f, f*math.Abs(a[0].rounded)*epsilon)
	}
	return inexact(f)
}
