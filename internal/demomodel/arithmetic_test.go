package demomodel

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestArithmeticIsFoundInText(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"signs are kept as they are written", "What is 17*23?", []string{"17*23"}},
		{"blanks are kept", "so 17 * (2 + 3) is what", []string{"17 * (2 + 3)"}},
		{"words become signs", "what is 12 plus 30 divided by 2", []string{"12+30/2"}},
		{"Chinese words become signs", "12 乘以 7 减去 1 等于多少", []string{"12*7-1"}},
		{"other signs become plain ones", "6×7÷2", []string{"6*7/2"}},
		{"groups of thousands are joined", "1,250,000 / 5", []string{"1250000/5"}},
		{"powers in words", "3 squared plus 2 cubed", []string{"3^2+2^3"}},
		{"a root", "the square root of 144", []string{"sqrt(144)"}},
		{"a percentage of something", "12.5% of 80", []string{"(80*12.5/100)"}},
		{"functions and constants", "sin(pi/4) + max(1, 2)", []string{"sin(pi/4) + max(1, 2)"}},
		{"a leading sign", "-5 + 3", []string{"-5 + 3"}},
		{"two expressions", "2+2 and 3*3", []string{"2+2", "3*3"}},
		{"x between numbers", "17x23", []string{"17*23"}},
		{"x on both sides of a digit", "2 x 3 x 4x5", []string{"2*3*4*5"}},
		{"a number alone is not arithmetic", "chapter 42", nil},
		{"a date is not arithmetic", "on 2024-05-01 at noon", nil},
		{"an ordinal is not arithmetic", "the 3rd - and 4th", nil},
		{"a hexadecimal number is not read", "0x10 + 1", nil},
		{"a version is not arithmetic", "go 1.2.3", nil},
		{"a hyphen between words is not a minus", "top-5 state-of-the-art", nil},
		{"an incomplete end is omitted", "3 + 4 - what", []string{"3 + 4"}},
		{"an open bracket is not arithmetic", "f(3 + ", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, v := range findArithmetic(tt.text) {
				got = append(got, v.text)
			}
			require.Equal(t, tt.want, got)
		})
	}
}
