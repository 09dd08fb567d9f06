package discovery

import (
	"slices"
	"strings"
)

// synonyms maps each term to other terms with the same or a similar meaning. A query often has
// other words than the definition that it should find, and may be in Chinese.
var synonyms = func() map[string][]string {
	synonymsOf := map[string][]string{}
	for line := range strings.Lines(synonymLines) {
		terms := words(line)
		slices.Sort(terms)
		terms = slices.Compact(terms)
		for _, term := range terms {
			for _, other := range terms {
				if other != term && !slices.Contains(synonymsOf[term], other) {
					synonymsOf[term] = append(synonymsOf[term], other)
				}
			}
		}
	}
	return synonymsOf
}()

// synonymLines has a group of synonyms on each line.
const synonymLines = `add create new make insert generate 创建 新建 添加 生成
delete remove erase drop discard destroy clear rid 删除 移除 清除 清空
update edit change modify patch alter adjust 修改 更新 编辑 更改
find search look query lookup seek locate 搜索 查找 查询 寻找
get fetch retrieve read show view display see 读取 获取 查看 显示
list all every 列出 列表 所有
save write store keep record 保存 写入 记录
send post publish submit share tell 发送 发布 提交 分享
run execute start launch trigger invoke kick play begin 运行 执行 启动 开始
stop cancel abort end halt kill terminate 停止 取消 终止
pause wait suspend 暂停 等待
rerun retry repeat restart again 重试 重新
undo revert reset restore rollback 撤销 恢复 回滚
move rename relocate name 移动 重命名
copy clone duplicate fork 复制 克隆
compare diff difference 比较 对比 差异
merge combine join accept 合并
check verify validate test status state 检查 验证 状态
history log past previous last 历史 日志
output print log result 输出 结果
file document 文件 文档
folder directory 文件夹 目录
text content 文字 文本 内容
picture image photo screenshot screen 图片 图像 截图 照片
chart plot graph diagram draw visualize figure 图表 绘图
slice pie proportion share part 饼图 比例 占比
trend time daily day over 趋势
correlate relationship scatter 关系 相关
page site website webpage url link 网页 网站 链接 页面
internet web online 网络 上网
click press hit tap 点击 按
type enter fill input 输入 填写
upload attach 上传 附件
download export 下载 导出
back return previous 返回
dark theme color scheme emulate 颜色
slow fast speed performance 性能 慢
repository repo project 仓库 项目
branch 分支
commit change 提交
bug issue ticket problem defect 问题 缺陷
pull merge request review proposal propose 审查 合并请求
build pipeline workflow job ci 构建 流水线
flaky sometimes intermittent unstable 不稳定
author who blame wrote 作者
comment note remark annotation reply 评论 备注 笔记
calendar diary schedule agenda 日历 日程
event meeting appointment 会议 活动
free available busy 空闲 有空
today now current date time day 今天 现在 时间 日期
remember memory memorize observation knowledge 记住 记忆 知识
message chat 消息 聊天
channel room group 频道 群
person people user member team 用户 成员 团队
address street 地址 街道
place location restaurant shop position point 地点 位置
coordinates latitude longitude geocode 坐标 经纬度
direction route drive way travel 路线 导航
weather forecast temperature 天气 温度
table collection 表
record row document entry 行
database db 数据库
count many number 数量 统计
container pod 容器
scale replica instance 副本 扩容
paper article publication research 论文 文章
monitor watch notify alert 监控 提醒 通知
library package framework api 库
documentation docs manual 文档
release version milestone deadline 版本 发布 里程碑
task todo assignment 任务 待办
cookie session
setting configuration config option preference 设置 配置
translate translation 翻译
summary summarize 总结 摘要
email mail 邮件
price cost amount 价格 费用
calculate compute arithmetic math 计算 算术
convert conversion 转换
`
