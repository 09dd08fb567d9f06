package evaluation

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/vcpgo/vcp/eval"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/configuration"
	"github.com/vcpgo/vcp/cmd/vcp/internal/replies"
	"github.com/vcpgo/vcp/cmd/vcp/internal/terminal"
)

// levels are the tolerances in ascending order, in which the report shows them. replies.Tolerances
// begins with the default of vcp parse instead.
var levels = []cli.Option[scan.Tolerance]{replies.Tolerances[1], replies.Tolerances[0], replies.Tolerances[2]}

// offlineFlags say how recorded replies are read.
type offlineFlags struct {
	tolerances []scan.Tolerance
	quoted     []parser.QuotedPolicy
	json       bool
}

func (o *offlineFlags) add(f *pflag.FlagSet) {
	f.Var(cli.NewChoices(&o.tolerances, levels, "all"), "tolerance", "how much damage is repaired")
	f.Var(cli.NewChoices(&o.quoted, replies.QuotedPolicies, replies.QuotedPolicies[0].Name), "quoted",
		"what becomes of requests in fenced code")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
}

// evaluate judges the replies in files, and prints a report. If protocols is empty, each reply is
// read in the protocol that it names or, if it names none, in the default.
func (o *offlineFlags) evaluate(
	ctx context.Context, std cli.Streams, protocols []protocol.Protocol, maxWrong int, files []string,
) error {
	m := eval.NewMatrix(o.settings(protocols))
	if len(protocols) == 0 {
		m.Default = configuration.Protocols[0].ID()
	}
	var count evalCount
	for _, file := range files {
		if extension := filepath.Ext(file); extension == ".yaml" || extension == ".yml" {
			return cli.Usagef("%s is a YAML file, but replies are JSON, one on each line; a suite of tasks needs --live %s", file, file)
		}
		if err := count.add(ctx, std, file, m); err != nil {
			return err
		}
	}
	if count.bad > 0 {
		return cli.Reported{Err: fmt.Errorf("%s could not be read", cli.Plural(count.bad, "line", "lines"))}
	}
	if count.read == 0 {
		return fmt.Errorf("no reply was read: %s", count.why())
	}
	if err := o.report(std.Out, m); err != nil {
		return err
	}
	if count.skipped > 0 {
		fmt.Fprintf(std.Err, "vcp eval: %s\n", count.why())
	}
	if wrong, setting := m.MaxWrong(); wrong > maxWrong {
		return fmt.Errorf("%s ran something wrong with %s; --max-wrong allows %d",
			cli.Plural(wrong, "reply", "replies"), setting, maxWrong)
	}
	return nil
}

// evalCount counts the replies that a setting reads, the replies that no setting reads (skipped),
// and the lines that cannot be read (bad).
type evalCount struct{ read, skipped, bad int }

// add judges the replies of one file, and reports its bad lines.
func (n *evalCount) add(ctx context.Context, std cli.Streams, file string, m *eval.Matrix) error {
	in, name, err := cli.OpenInput(std.In, []string{file})
	if err != nil {
		return err
	}
	defer in.Close()
	for c, err := range eval.ReadCases(in, name) {
		if err == nil && c.Protocol != "" {
			known := cli.NewChoice(new(protocol.Protocol), configuration.ProtocolOptions())
			if bad := known.Set(c.Protocol); bad != nil {
				err = &eval.CaseError{File: name, Line: c.Line, Err: fmt.Errorf("protocol %w", bad)}
			}
		}
		if bad, ok := errors.AsType[*eval.CaseError](err); ok {
			if n.bad++; n.bad <= maxBadLines {
				fmt.Fprintln(std.Err, "vcp eval: "+terminal.OneLine(bad.Error()))
			} else if n.bad == maxBadLines+1 {
				fmt.Fprintln(std.Err, "vcp eval: more lines could not be read")
			}
			continue
		}
		if err != nil {
			return err
		}
		switch readBy, err := m.Add(ctx, &c); {
		case err != nil:
			return err
		case readBy == 0: // no setting
			n.skipped++
		default:
			n.read++
		}
	}
	return nil
}

// maxBadLines is how many bad lines are reported one by one.
const maxBadLines = 100

// why says why replies were not read.
func (n *evalCount) why() string {
	if n.skipped == 0 {
		return "there is none"
	}
	return cli.Plural(n.skipped, "reply names", "replies name") + " another protocol than --protocol does"
}

// settings returns all combinations of the flags.
func (o *offlineFlags) settings(protocols []protocol.Protocol) []eval.Setting {
	if len(protocols) == 0 {
		protocols = configuration.Protocols
	}
	var list []eval.Setting
	for _, p := range protocols {
		for _, tolerance := range o.tolerances {
			for _, quoted := range o.quoted {
				list = append(list, eval.Setting{Protocol: p, Tolerance: tolerance, Quoted: quoted})
			}
		}
	}
	return list
}

// report prints the matrix.
func (o *offlineFlags) report(out io.Writer, m *eval.Matrix) error {
	if o.json {
		return cli.WriteJSONLine(out, m)
	}
	return m.WriteText(cli.TextOutput(out))
}
