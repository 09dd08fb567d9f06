package engine

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"

	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// warnings logs possible mistakes in a configuration. It logs each mistake once, because most new
// configurations contain the same mistakes as the one before. It is safe for concurrent use.
type warnings struct {
	logger *slog.Logger
	logged sync.Map // the text and the name of each logged warning, as [2]string
}

// warn logs a possible mistake, once for each text and name.
func (w *warnings) warn(text, name string, attrs ...slog.Attr) {
	if _, isLogged := w.logged.LoadOrStore([2]string{text, name}, true); !isLogged {
		w.logger.LogAttrs(context.Background(), slog.LevelWarn, text, attrs...)
	}
}

// checkToggles logs a warning for each toggle that names no registered tool or method. field is the
// field of the configuration. Such toggles are not an error: several applications may use one
// configuration, and tools may be registered later.
func (w *warnings) checkToggles(registry *tool.Registry, field string, toggles map[string]bool) {
	if len(toggles) == 0 {
		return
	}
	known := []string{resultsTool, readMethod, searchTool, searchMethod} // registered only if they are needed
	for _, method := range registry.Entries() {
		known = append(known, method.Tool.ID, method.FullName)
	}
	slices.Sort(known)
	known = slices.Compact(known)
	for _, name := range slices.Sorted(maps.Keys(toggles)) {
		if _, found := slices.BinarySearch(known, name); found {
			continue
		}
		attrs := []slog.Attr{slog.String("name", name)}
		if near := text.Nearest(name, known); len(near) > 0 {
			attrs = append(attrs, slog.String("nearest", near[0]))
		}
		w.warn(field+" names no registered tool or method", name, attrs...)
	}
}

// checkArguments logs a warning for each argument whose name no request of the protocol can carry,
// and for each keyword of a schema that is not checked. A required argument with such a name is an
// error unless mayRequire is set.
func (w *warnings) checkArguments(p protocol.Protocol, methods []*tool.Entry, mayRequire bool) error {
	for _, method := range methods {
		for _, unchecked := range method.Method.Parameters.Unchecked() {
			w.warn("a keyword of the parameters is not checked", method.FullName+" "+unchecked,
				slog.String("method", method.FullName), slog.String("reason", unchecked))
		}
	}
	carrier, ok := p.(protocol.ArgumentCarrier)
	if !ok {
		return nil
	}
	for _, method := range methods {
		for _, property := range method.Method.Parameters.Properties() {
			if carrier.CarriesArgument(property.Name) {
				continue
			}
			if property.Required && !mayRequire {
				return fmt.Errorf("engine: %s requires the argument %q, which the protocol %s cannot carry; "+
					"rename the argument or switch the method off (toolToggles)",
					method.FullName, property.Name, p.ID())
			}
			w.warn("the protocol cannot carry an argument of this name; rename it",
				p.ID()+" "+method.FullName+" "+property.Name,
				slog.String("protocol", p.ID()), slog.String("method", method.FullName),
				slog.String("argument", property.Name), slog.Bool("required", property.Required))
		}
	}
	return nil
}
