package engine

import (
	"cmp"
	"log/slog"

	"github.com/vcpgo/vcp/discovery"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// settings are derived from a configuration. They never change; SetConfig replaces them.
type settings struct {
	config    Config
	protocol  protocol.Protocol
	executor  *executor.Executor
	discovery discovery.Options
	reading   parser.Options
	stop      []string // stop sequences for a model that calls in text
	replies   string   // tells the model how many of its replies may use tools; "" in mode manual
}

// apply sets the settings that a profile contains. It is called only before the settings are used.
func (s *settings) apply(p *Profile, logger *slog.Logger) error {
	s.discovery.Prompt, s.reading = p.Prompt, p.Reading
	s.reading.Logger = cmp.Or(s.reading.Logger, logger)
	if blocks := s.reading.Limits.Blocks; blocks <= 0 || blocks > s.config.MaxRequests {
		s.reading.Limits.Blocks = s.config.MaxRequests
	}
	if s.config.Mode != ModeManual {
		s.replies = phraseReplies.in(s.language(), s.config.MaxIterations)
	}
	_, err := parser.New(s.protocol, s.reading)
	return err
}

// profiled contains the settings for a ProfiledModel, and what they were made from.
type profiled struct {
	base     *settings
	profile  Profile
	settings *settings
}

// language returns the language in which the engine writes to the model: "en" or "zh"; "" means
// "en".
func (s *settings) language() string { return s.discovery.Prompt.Language }

// renderer returns a renderer for a model that calls tools by its API (native) or in text.
func (s *settings) renderer(native bool) renderer {
	return renderer{protocol: s.protocol, native: native, language: s.language()}
}
