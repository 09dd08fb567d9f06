package engine

import (
	"cmp"
	"log/slog"

	"github.com/vcpgo/vcp/discovery"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// settings are derived from a configuration. They never change; they are replaced.
type settings struct {
	config    Config
	protocol  protocol.Protocol
	executor  *executor.Executor
	discovery discovery.Options
	reading   parser.Options
	policy    policy.Policy
	stop      []string // stop sequences for a model that calls in text
}

// apply sets what a profile says.
func (s *settings) apply(p *Profile, logger *slog.Logger) error {
	s.discovery.Prompt, s.reading = p.Prompt, p.Reading
	s.reading.Logger = cmp.Or(s.reading.Logger, logger)
	if blocks := s.reading.Limits.Blocks; blocks <= 0 || blocks > s.config.MaxRequests {
		s.reading.Limits.Blocks = s.config.MaxRequests
	}
	_, err := parser.New(s.protocol, s.reading)
	return err
}

// profiled are the settings for a model with a profile of its own.
type profiled struct {
	base     *settings
	profile  Profile
	settings *settings
}

// language returns the language in which the engine writes to the model: "en" or "zh"; "" means
// "en".
func (s *settings) language() string { return s.discovery.Prompt.Language }

func (s *settings) gate(native bool) gate {
	return gate{protocol: s.protocol, id: s.protocol.ID(), native: native, language: s.language()}
}
