package mcp

// MethodName lets the tests in package mcp_test call methodName.
var MethodName = methodName
