package engine

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"

	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
)

// warn logs a possible mistake, once for each text and name.
func (e *Engine) warn(text, name string, attrs ...slog.Attr) {
	if _, again := e.warned.LoadOrStore([2]string{text, name}, true); !again {
		e.options.Logger.LogAttrs(context.Background(), slog.LevelWarn, text, attrs...)
	}
}

// warnOfToggles warns of toggles that switch nothing. They are no error: one configuration may
// serve several applications, and tools may be registered later.
func (e *Engine) warnOfToggles(toggles map[string]bool) {
	if len(toggles) == 0 {
		return
	}
	known := []string{resultsTool, readMethod, searchTool, searchMethod} // registered only if they are needed
	for _, method := range e.options.Registry.Entries() {
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
		e.warn("toolToggles names no registered tool or method", name, attrs...)
	}
}

// checkArguments checks that the model can write each argument of the visible methods, as SetConfig
// says, and warns of keywords of their schemas that are not checked.
func (e *Engine) checkArguments(s *settings) error {
	shown := s.discovery
	shown.Filter = nil // the application's filter may need what does not exist yet
	methods := e.discovery.Methods(shown)
	for _, method := range methods {
		for _, unchecked := range method.Method.Parameters.Unchecked() {
			e.warn("a keyword of the parameters is not checked", method.FullName+" "+unchecked,
				slog.String("method", method.FullName), slog.String("reason", unchecked))
		}
	}
	carrier, ok := s.protocol.(protocol.ArgumentCarrier)
	if !ok {
		return nil
	}
	_, native := e.options.Model.(NativeModel)
	useless := !native && e.options.Filter == nil
	for _, method := range methods {
		for _, p := range method.Method.Parameters.Properties() {
			if carrier.CarriesArgument(p.Name) {
				continue
			}
			if p.Required && useless {
				return fmt.Errorf("engine: %s requires the argument %q, which the protocol %s cannot carry; rename the argument or switch the method off (toolToggles)",
					method.FullName, p.Name, s.protocol.ID())
			}
			e.warn("the protocol cannot carry an argument of this name; rename it", s.protocol.ID()+" "+method.FullName+" "+p.Name,
				slog.String("protocol", s.protocol.ID()), slog.String("method", method.FullName), slog.String("argument", p.Name), slog.Bool("required", p.Required))
		}
	}
	return nil
}
