package reference_test

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/vcpgo/vcp/internal/reference"
)

func TestQuery(t *testing.T) {
	f, err := os.Open(os.Getenv("QUERY"))
	if err != nil {
		t.Skip()
	}
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		line := sc.Text()
		opts, text, _ := strings.Cut(line, " ")
		text = strings.NewReplacer("H!", "<tool_call>", "J!", "</tool_call>", "P!", "<tool_response>", "S!", "<<<[TOOL_REQUEST]>>>", "E!", "<<<[END_TOOL_REQUEST]>>>", "R!", "<<<[TOOL_RESULT]>>>", "D!", "<<<[TOOL_DEFINITION]>>>", "F!", "<<<[END_TOOL_DEFINITION]>>>", "T!", "tool_name:「始」a_b「末」", "«", "「始」", "»", "「末」").Replace(text)
		u, err := strconv.Unquote(`"` + strings.ReplaceAll(text, `"`, `\"`) + `"`)
		if err != nil {
			t.Fatal(line, err)
		}
		o := reference.Options{Level: reference.Safe, Stop: true}
		for _, p := range strings.Split(opts, ",") {
			switch p {
			case "strict":
				o.Level = reference.Strict
			case "greedy":
				o.Level = reference.Greedy
			case "length":
				o.Stop = false
			case "qrun":
				o.Quoted = reference.Run
			case "qauto":
				o.Quoted = reference.Auto
			case "rrun":
				o.Reasoning = reference.Run
			case "relse":
				o.Reasoning = reference.RunIfNothingElse
			}
		}
		s := subjects[0]
		if os.Getenv("QP") != "" {
			s = subjects[1]
		}
		got, err := s.parse(u, o)
		a, b := show(s.read(u, o)), show(got)
		eq := "  "
		if a != b {
			eq = "!!"
		}
		fmt.Printf("%s %s\n     ref %s\n", eq, line, a)
		if a != b {
			fmt.Printf("     got %s\n", b)
		}
	}
}
