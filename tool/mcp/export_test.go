package mcp

// MethodName is methodName.
var MethodName = methodName
