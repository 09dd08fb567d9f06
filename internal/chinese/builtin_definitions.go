package chinese

// BuiltinDefinitions has the descriptions of the methods of package tool/builtin and of their
// parameters.
var BuiltinDefinitions = map[string]string{
	"Tells what time it is now, and today's date and day of the week, here or in another time zone. Use it for every question about the current time, date, day, month or year.": "告诉你现在的时间、今天的日期和星期，可以是本地时区，也可以是其他时区。凡是关于当前时间、日期、星期、月份或年份的问题都使用它。",

	"the time zone to tell the time in: a name such as Europe/Berlin, Asia/Tokyo or UTC, or an offset such as +02:00; if omitted, the zone of this machine": "要查询的时区：名称，例如 Europe/Berlin、Asia/Tokyo 或 UTC，或者偏移量，例如 +02:00；省略时为本机时区",

	"Converts a given time from one time zone to another, such as 15:00 from Europe/Lisbon to Asia/Tokyo.": "把给定的时间从一个时区换算到另一个时区，例如把 Europe/Lisbon 的 15:00 换算到 Asia/Tokyo。",

	"the time to convert, such as 2026-03-01 15:00; a time without a date is a time of today": "要换算的时间，例如 2026-03-01 15:00；没有日期时为今天",

	"the time zone of that time, such as Europe/Lisbon or +02:00; if omitted, the zone of this machine": "该时间所在的时区，例如 Europe/Lisbon 或 +02:00；省略时为本机时区",

	"the time zone to convert to, such as Asia/Tokyo": "目标时区，例如 Asia/Tokyo",

	"Tells how far apart two dates are: how long until 24 December, how long since 1 March.": "计算两个日期相隔多久：距离 12 月 24 日还有多久，从 3 月 1 日到现在过了多久。",

	"the first date, such as 2026-03-01; if omitted, today; without a year, the last such date up to today": "第一个日期，例如 2026-03-01；省略时为今天；没有年份时为今天或之前最近的一个",

	"the second date, such as 2026-12-24; if omitted, today; without a year, the next such date from today on": "第二个日期，例如 2026-12-24；省略时为今天；没有年份时为今天或之后最近的一个",

	"Calculates the value of an arithmetic expression, exactly: what is 17*23, how much is 12.5% of 80 (written 80*12.5/100), compute a sum, difference, product, quotient, power or root. Knows + - * / % (remainder) ^ and parentheses, the constants pi, tau and e, and the functions sqrt, cbrt, abs, sign, min, max, sum, mean (or avg), round(x, digits), floor, ceil, trunc, mod, gcd, lcm, factorial, pow, exp, ln, log (base 10, or log(x, base)), log2, hypot, sin, cos, tan, asin, acos, atan, atan2 (angles in radians; rad and deg convert).": "精确计算算术表达式的值：17*23 等于多少，80 的 12.5% 是多少（写成 80*12.5/100），求和、差、积、商、幂或根。支持 + - * / %（余数）^ 和括号，常数 pi、tau 和 e，以及函数 sqrt、cbrt、abs、sign、min、max、sum、mean（或 avg）、round(x, 位数)、floor、ceil、trunc、mod、gcd、lcm、factorial、pow、exp、ln、log（以 10 为底，或 log(x, 底数)）、log2、hypot、sin、cos、tan、asin、acos、atan、atan2（角度用弧度；rad 和 deg 用于换算）。",

	"the arithmetic expression to calculate, such as 17*23 or (2+3)^2 / sqrt(16)": "要计算的算术表达式，例如 17*23 或 (2+3)^2 / sqrt(16)",

	"Lists the files and subdirectories in a directory (folder), with the size of each file. Use it to find out which files there are, for instance which Go files are in a directory, or what is in this project.": "列出目录（文件夹）中的文件和子目录，以及每个文件的大小。用它了解有哪些文件，例如某个目录里有哪些 Go 文件，或者这个项目里有什么。",

	"the directory (folder) to list, relative to the root directory, such as src/tools": "要列出的目录（文件夹），相对于根目录，例如 src/tools",

	"a file name pattern, to list only the files that fit it: *.go for Go files, *.md for Markdown, *.{js,ts} for JavaScript and TypeScript": "文件名模式，只列出符合的文件：*.go 表示 Go 文件，*.md 表示 Markdown，*.{js,ts} 表示 JavaScript 和 TypeScript",

	"whether to list the files in all subdirectories too": "是否也列出所有子目录中的文件",

	"Reads a text file and returns its contents, whole or only some lines. Use it to show, open, print or look into a file. A long file is returned in pages, and each page says how to read the next one.": "读取文本文件并返回其内容，可以是全部，也可以只是若干行。用它显示、打开、打印或查看文件。较长的文件分页返回，每一页都会说明如何读取下一页。",

	"the file to read, relative to the root directory, such as README.md": "要读取的文件，相对于根目录，例如 README.md",

	"the first line to read, counted from 1; a negative number counts from the end, so -20 reads the last 20 lines": "要读取的第一行，从 1 开始计数；负数从末尾计数，例如 -20 读取最后 20 行",

	"the last line to read; a negative number counts from the end, as in startLine; if omitted, the file is read to its end": "要读取的最后一行；负数从末尾计数，与 startLine 相同；省略时读到文件末尾",

	"Searches the contents of files for a text and returns the lines that contain it, each with its file and line number. Use it to find where a word, a name or a function occurs, which files mention something, or how often (with count).": "在文件内容中搜索一段文本，返回包含它的各行及其文件名和行号。用它查找某个词、名称或函数出现在哪里，哪些文件提到了某事，或者出现了多少次（用 count）。",

	"the text to search for in the files": "要在文件中搜索的文本",

	"the directory (folder) to search in, with all its subdirectories, or a single file; relative to the root directory": "要搜索的目录（文件夹），包括其所有子目录，或者单个文件；相对于根目录",

	"a file name pattern, to search only the files that fit it, such as *.go for Go files": "文件名模式，只搜索符合的文件，例如 *.go 表示 Go 文件",

	"whether the query is a regular expression, not plain text": "query 是否为正则表达式，而不是普通文本",

	"whether upper and lower case are alike": "是否不区分大小写",

	"whether to return only how many lines match, in each file and in all": "是否只返回匹配的行数：每个文件的和总共的",

	"Writes a text file: makes a new file, or replaces the whole content of one. To change a part of a file use files_edit.": "写入文本文件：新建文件，或替换文件的全部内容。要修改文件的一部分，请使用 files_edit。",

	"the file to write, relative to the root directory, such as notes/todo.md; missing directories are made": "要写入的文件，相对于根目录，例如 notes/todo.md；不存在的目录会被创建",

	"the whole new content of the file": "文件的全部新内容",

	"Edits a text file: replaces one piece of text with another. Read the file with files_read first, and copy the old text from it exactly.": "编辑文本文件：把一段文本替换成另一段。请先用 files_read 读取文件，并原样复制其中的旧文本。",

	"the file to edit, relative to the root directory, such as README.md": "要编辑的文件，相对于根目录，例如 README.md",

	"the text to replace, exactly as it is in the file with its line breaks and indentation; it must occur once, so include enough of the lines around it": "要替换的文本，与文件中完全一致，包括换行和缩进；它必须只出现一次，因此请包含足够的上下文行",

	"the text to put in its place; empty to delete it": "用来替换的文本；为空则删除",

	"Describes a table in a file: how many rows it has, its columns and what is in them. Use it first, to learn the names of the columns.": "描述文件中的表格：有多少行、有哪些列、列中有什么。请先使用它，以了解各列的名称。",

	"the file with the table: CSV, TSV, JSON lines or XLSX, relative to the root directory": "表格所在的文件：CSV、TSV、JSON 行或 XLSX，相对于根目录",

	"the sheet of an XLSX file; if omitted, the first": "XLSX 文件中的工作表；省略时为第一个",

	"Calculates totals, averages and other figures of a column of a table in a file, for groups and over time, and draws a chart of them. Use it for sums, means, counts, trends and comparisons; it reads all rows and returns only the figures.": "计算文件中表格某一列的总和、平均值等数据，可以分组，也可以按时间，并可画出图表。用于求和、求平均、计数、看趋势和作比较；它读取所有行，只返回结果。",

	"the file with the table, relative to the root directory": "表格所在的文件，相对于根目录",

	"the column of the numbers to calculate with": "用来计算的数值所在的列",

	"what to calculate of the numbers; quantiles are the 5th, 25th, 50th, 75th and 95th percentile": "要计算什么：sum 总和，mean 平均值，count 个数，min 最小值，max 最大值，median 中位数，quantiles 第 5、25、50、75 和 95 百分位数，all 全部",

	"the column whose values form groups, such as a category; several with commas between them": "按其值分组的列，例如类别；多个列用逗号分隔",

	"calculate for each day, week, month, quarter or year, to show a trend or development over time": "按每日、每周、每月、每季度或每年计算，用来显示随时间的趋势或变化",

	"only the last complete week, month, quarter or year in the table": "只计算表格中最后一个完整的周、月、季度或年",

	"only from this date on, such as 2026-04-01": "只从这个日期开始，例如 2026-04-01",

	"only up to this date": "只到这个日期为止",

	"the column of the dates; if omitted, the first one with dates": "日期所在的列；省略时为第一个含有日期的列",

	"conditions that rows must meet, such as: status = open and size >= 100": "行必须满足的条件，例如：status = open and size >= 100",

	"whether to draw a chart (graph, plot, diagram) for the user": "是否为用户画一张图表",

	"the format of the chart": "图表的格式",

	"the first group to show, to continue a long result": "要显示的第一个分组，用来继续查看较长的结果",

	"Shows single rows of a table in a file, filtered and sorted. For totals or averages use table_aggregate, which does not show rows.": "显示文件中表格的若干行，可以筛选和排序。求总和或平均值请使用 table_aggregate，它不显示各行。",

	"conditions that rows must meet, such as: status = open and size >= 100 and note contains late": "行必须满足的条件，例如：status = open and size >= 100 and note contains late",

	"the columns to show, with commas between them; if omitted, all": "要显示的列，用逗号分隔；省略时为全部",

	"a column to sort by": "用来排序的列",

	"whether the largest come first": "是否从大到小排列",

	"the first row to show, counted from 1 among those that match": "要显示的第一行，在符合条件的行中从 1 开始计数",

	"how many rows to show": "显示多少行",

	"Fetches a web page or a text file from the Internet by its address, and returns its text as Markdown. A long page is returned in parts, and each part says how to get the next one.": "按地址从互联网获取网页或文本文件，以 Markdown 返回其文本。较长的网页分段返回，每一段都会说明如何获取下一段。",

	"the address of the page, beginning with https:// or http://": "网页的地址，以 https:// 或 http:// 开头",

	"the first line to return, to continue a long page": "要返回的第一行，用来继续读取较长的网页",

	"Runs a command line in a shell, in the root directory, and returns what it prints. There is no input: a command that asks a question fails.": "在根目录下的 shell 中运行命令行，返回它的输出。没有输入：会提问的命令将失败。",

	"the command line, such as: git log --oneline | head -20": "命令行，例如：git log --oneline | head -20",

	"how long the command may run": "命令最多可以运行多少秒",
}
