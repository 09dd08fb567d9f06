package conversation

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/model"
)

func TestErrorsOfTheServerAreInTheLanguageOfThePerson(t *testing.T) {
	_, err := model.New(model.Options{BaseURL: "nowhere"})
	require.Error(t, err)
	require.Equal(t, `base URL "nowhere" 无效；请写成 http://127.0.0.1:11434/v1 这样的形式`, phrasesIn("zh").failure(err))
	require.Equal(t, err.Error(), phrasesIn("en").failure(err))
}
