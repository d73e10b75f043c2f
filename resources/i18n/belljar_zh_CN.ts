<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AuditType</name>
    <message>
        <source>Engine started</source>
        <translation>引擎已启动</translation>
    </message>
    <message>
        <source>Engine stopped</source>
        <translation>引擎已停止</translation>
    </message>
    <message>
        <source>Client connected</source>
        <translation>客户端已连接</translation>
    </message>
    <message>
        <source>Client disconnected</source>
        <translation>客户端已断开连接</translation>
    </message>
    <message>
        <source>Request received</source>
        <translation>已收到请求</translation>
    </message>
    <message>
        <source>Decided</source>
        <translation>已作出决定</translation>
    </message>
    <message>
        <source>Approval asked</source>
        <translation>已请求审批</translation>
    </message>
    <message>
        <source>Approval answered</source>
        <translation>审批已答复</translation>
    </message>
    <message>
        <source>Execution started</source>
        <translation>运行已开始</translation>
    </message>
    <message>
        <source>Execution ended</source>
        <translation>运行已结束</translation>
    </message>
    <message>
        <source>Policy changed</source>
        <translation>策略已更改</translation>
    </message>
    <message>
        <source>Policy refused</source>
        <translation>策略文件被拒绝</translation>
    </message>
    <message>
        <source>Assignment changed</source>
        <translation>策略分配已更改</translation>
    </message>
    <message>
        <source>Decision remembered</source>
        <translation>决定已记住</translation>
    </message>
    <message>
        <source>Decision revoked</source>
        <translation>决定已撤销</translation>
    </message>
    <message>
        <source>Session stopped</source>
        <translation>会话已停用</translation>
    </message>
    <message>
        <source>Session lifted</source>
        <translation>会话已解除停用</translation>
    </message>
    <message>
        <source>Programs paused</source>
        <translation>程序已暂停</translation>
    </message>
    <message>
        <source>Programs resumed</source>
        <translation>程序已恢复</translation>
    </message>
    <message>
        <source>Run deleted from the history</source>
        <translation>已从历史记录中删除运行</translation>
    </message>
    <message>
        <source>Chain broken</source>
        <translation>哈希链已断裂</translation>
    </message>
    <message>
        <source>Client blocked</source>
        <translation>客户端已阻止</translation>
    </message>
    <message>
        <source>Client unblocked</source>
        <translation>客户端已解除阻止</translation>
    </message>
    <message>
        <source>Image built</source>
        <translation>镜像已构建</translation>
    </message>
    <message>
        <source>Image removed</source>
        <translation>镜像已删除</translation>
    </message>
    <message>
        <source>Image chosen</source>
        <translation>镜像已选定</translation>
    </message>
    <message>
        <source>Settings changed</source>
        <translation>设置已更改</translation>
    </message>
    <message>
        <source>HTTP token changed</source>
        <translation>HTTP 令牌已更改</translation>
    </message>
</context>
<context>
    <name>ClientAfter</name>
    <message>
        <source>%1 takes the change up by itself.</source>
        <translation>%1 会自动应用此更改。</translation>
    </message>
    <message>
        <source>Quit %1 and start it again.</source>
        <translation>请退出 %1，然后重新启动。</translation>
    </message>
    <message>
        <source>In %1, refresh the list of MCP servers.</source>
        <translation>请在 %1 中刷新 MCP 服务器列表。</translation>
    </message>
    <message>
        <source>In %1, reconnect belljar in the list of MCP servers (/mcp).</source>
        <translation>请在 %1 的 MCP 服务器列表 (/mcp) 中重新连接 belljar。</translation>
    </message>
    <message>
        <source>In %1, start belljar in the list of MCP servers.</source>
        <translation>请在 %1 的 MCP 服务器列表中启动 belljar。</translation>
    </message>
</context>
<context>
    <name>ClientState</name>
    <message>
        <source>not set up</source>
        <translation>未配置</translation>
    </message>
    <message>
        <source>set up</source>
        <translation>已配置</translation>
    </message>
    <message>
        <source>leads elsewhere</source>
        <translation>指向别处</translation>
    </message>
    <message>
        <source>its program is gone</source>
        <translation>程序不存在</translation>
    </message>
    <message>
        <source>can&apos;t be read</source>
        <translation>无法读取</translation>
    </message>
</context>
<context>
    <name>Effect</name>
    <message>
        <source>%1 %2 → %3</source>
        <translation>%1 %2 → %3</translation>
    </message>
    <message numerus="yes">
        <source>%n the same</source>
        <translation>
            <numerusform>%n 次不变</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n would be allowed</source>
        <translation>
            <numerusform>%n 次将被允许</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n would ask</source>
        <translation>
            <numerusform>%n 次将询问</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n would be denied</source>
        <translation>
            <numerusform>%n 次将被拒绝</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n would get other limits</source>
        <translation>
            <numerusform>%n 次的限制将不同</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing would change.</source>
        <translation>没有任何变化。</translation>
    </message>
    <message>
        <source>Limits: %1.</source>
        <translation>限制：%1。</translation>
    </message>
    <message numerus="yes">
        <source>%n remembered decision(s) end with the policy they were made under</source>
        <translation>
            <numerusform>%n 个已记住的决定会随其所依据的策略一同失效</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>; they answered %n of these.</source>
        <translation>
            <numerusform>；其中 %n 次运行由它们答复。</numerusform>
        </translation>
    </message>
    <message>
        <source>time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>processors</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>processes</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>workspace</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>temporary files</source>
        <translation>临时文件</translation>
    </message>
</context>
<context>
    <name>QLineEdit</name>
    <message>
        <source>&amp;Undo</source>
        <translation>撤消(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>剪切(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>粘贴(&amp;P)</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Select All</source>
        <translation>全选</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>names, with commas between</source>
        <translation>名称，用逗号分隔</translation>
    </message>
    <message>
        <source>either way</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>On</source>
        <translation>启用</translation>
    </message>
    <message>
        <source>any</source>
        <translation>任意</translation>
    </message>
    <message>
        <source>another</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>Another language</source>
        <translation>其他语言</translation>
    </message>
    <message>
        <source>For</source>
        <translation>适用对象</translation>
    </message>
    <message>
        <source>The last row adds one; without a key a row goes away</source>
        <translation>在最后一行可新增；清空键则删除该行</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>严重性</translation>
    </message>
</context>
<context>
    <name>QPlatformTheme</name>
    <message>
        <source>OK</source>
        <translation>确定</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>&amp;Yes</source>
        <translation>是(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;No</source>
        <translation>否(&amp;N)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
</context>
<context>
    <name>QWidgetTextControl</name>
    <message>
        <source>&amp;Undo</source>
        <translation>撤消(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>剪切(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>Copy &amp;Link Location</source>
        <translation>复制链接地址(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>粘贴(&amp;P)</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Select All</source>
        <translation>全选</translation>
    </message>
</context>
<context>
    <name>RuleDraft</name>
    <message>
        <source>A person has allowed exactly this code before.</source>
        <translation>曾有人允许过完全相同的代码。</translation>
    </message>
    <message>
        <source>A person wants to see this first.</source>
        <translation>此类程序须先经人查看。</translation>
    </message>
    <message>
        <source>A person has not allowed such a program before.</source>
        <translation>此前没有人允许过这样的程序。</translation>
    </message>
</context>
<context>
    <name>SandboxState</name>
    <message>
        <source>Starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>Warm</source>
        <translation>已预热</translation>
    </message>
    <message>
        <source>Busy</source>
        <translation>忙碌</translation>
    </message>
    <message>
        <source>Ending</source>
        <translation>正在结束</translation>
    </message>
</context>
<context>
    <name>Status</name>
    <message>
        <source>Received</source>
        <translation>已接收</translation>
    </message>
    <message>
        <source>Analysing</source>
        <translation>正在分析</translation>
    </message>
    <message>
        <source>Waiting for you</source>
        <translation>等待你审批</translation>
    </message>
    <message>
        <source>Queued</source>
        <translation>排队中</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Succeeded</source>
        <translation>成功</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Timed out</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>Out of memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>Output limit</source>
        <translation>输出超限</translation>
    </message>
    <message>
        <source>Rejected</source>
        <translation>已拒绝</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
</context>
<context>
    <name>belljar::ui::AnsweredView</name>
    <message>
        <source>You denied it</source>
        <translation>由你拒绝</translation>
    </message>
    <message>
        <source>You allowed it</source>
        <translation>由你允许</translation>
    </message>
    <message>
        <source>You edited and allowed it</source>
        <translation>由你修改后允许</translation>
    </message>
    <message>
        <source>Allowed by a remembered decision</source>
        <translation>按已记住的决定允许</translation>
    </message>
    <message>
        <source>Denied by a remembered decision</source>
        <translation>按已记住的决定拒绝</translation>
    </message>
    <message>
        <source>Allowed at the client</source>
        <translation>在客户端允许</translation>
    </message>
    <message>
        <source>Denied at the client</source>
        <translation>在客户端拒绝</translation>
    </message>
    <message>
        <source>Nobody answered</source>
        <translation>无人答复</translation>
    </message>
    <message>
        <source>The client took it back</source>
        <translation>客户端已撤回</translation>
    </message>
    <message>
        <source>Belljar ended</source>
        <translation>Belljar 已退出</translation>
    </message>
    <message>
        <source>No question was answered today.</source>
        <translation>今天尚未答复过审批请求。</translation>
    </message>
    <message>
        <source>Questions that were answered today</source>
        <translation>今天已答复的审批请求</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>答复</translation>
    </message>
    <message>
        <source>Comment</source>
        <translation>留言</translation>
    </message>
    <message>
        <source>Waited, s</source>
        <translation>等待时间（秒）</translation>
    </message>
</context>
<context>
    <name>belljar::ui::ApprovalCard</name>
    <message>
        <source>info</source>
        <translation>信息</translation>
    </message>
    <message>
        <source>low</source>
        <translation>低</translation>
    </message>
    <message>
        <source>medium</source>
        <translation>中</translation>
    </message>
    <message>
        <source>high</source>
        <translation>高</translation>
    </message>
    <message>
        <source>critical</source>
        <translation>严重</translation>
    </message>
    <message>
        <source>&amp;Hold</source>
        <translation>暂停计时(&amp;H)</translation>
    </message>
    <message>
        <source>Deny  (Ctrl+Backspace)</source>
        <translation>拒绝  (Ctrl+Backspace)</translation>
    </message>
    <message>
        <source>Deny and stop this session…</source>
        <translation>拒绝并停用此会话…</translation>
    </message>
    <message>
        <source>&amp;Edit before running</source>
        <translation>编辑后运行(&amp;E)</translation>
    </message>
    <message>
        <source>Allow once  (Ctrl+Return)</source>
        <translation>允许一次  (Ctrl+Return)</translation>
    </message>
    <message>
        <source>Stop this session</source>
        <translation>停用此会话</translation>
    </message>
    <message>
        <source>Everything that this client sends from now on is rejected, until you lift that under Remembered.</source>
        <translation>此客户端此后发送的一切都会被拒绝，直到你在“已记住”中解除停用。</translation>
    </message>
    <message>
        <source>Deny and stop</source>
        <translation>拒绝并停用</translation>
    </message>
    <message>
        <source>Stops the clock while you read</source>
        <translation>阅读时暂停计时</translation>
    </message>
    <message>
        <source>What analysis found</source>
        <translation>分析发现项</translation>
    </message>
    <message>
        <source>Code that waits</source>
        <translation>待审批的代码</translation>
    </message>
    <message>
        <source>The client gets it as text</source>
        <translation>将以文本形式发给客户端</translation>
    </message>
    <message>
        <source>&amp;Comment to the client</source>
        <translation>给客户端的留言(&amp;C)</translation>
    </message>
    <message>
        <source>Allow…</source>
        <translation>允许…</translation>
    </message>
    <message>
        <source>Allow and remember</source>
        <translation>允许并记住</translation>
    </message>
    <message>
        <source>Allow and remember  (Ctrl+Shift+Return)</source>
        <translation>允许并记住  (Ctrl+Shift+Return)</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>Since the last allowed run</source>
        <translation>与上次允许的运行相比</translation>
    </message>
    <message>
        <source>Your changes</source>
        <translation>你的修改</translation>
    </message>
    <message>
        <source>Waiting for you (%1 of %2)</source>
        <translation>等待你审批（%1/%2）</translation>
    </message>
    <message>
        <source>A client without a name</source>
        <translation>未命名的客户端</translation>
    </message>
    <message>
        <source>%1 wants to run %2, %3 lines, %4 bytes</source>
        <translation>%1 请求运行 %2 程序，%3 行，%4 字节</translation>
    </message>
    <message>
        <source> (asked %1 times)</source>
        <translation>（已询问 %1 次）</translation>
    </message>
    <message>
        <source>It calls itself that. Process: %1, pid %2. Policy: %3, version %4.</source>
        <translation>名称为客户端自报。进程：%1，pid %2。策略：%3，版本 %4。</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Arguments: %1.</source>
        <translation>参数：%1 个。</translation>
    </message>
    <message>
        <source>It gets %1 bytes of input.</source>
        <translation>标准输入：%1 字节。</translation>
    </message>
    <message>
        <source>Asked because: %1</source>
        <translation>询问原因：%1</translation>
    </message>
    <message>
        <source>Sandbox: %1, %2 memory, %3 processors, %4 s, %5 processes, no network.</source>
        <translation>沙箱：%1，内存 %2，CPU %3 核，%4 秒，进程 %5 个，无网络。</translation>
    </message>
    <message>
        <source>Weakened: %1</source>
        <translation>防护减弱：%1</translation>
    </message>
    <message>
        <source>This client has run nothing before.</source>
        <translation>此客户端此前未运行过程序。</translation>
    </message>
    <message>
        <source>This client: %1 earlier runs, %2 allowed, last %3.</source>
        <translation>此客户端：此前运行 %1 次，允许 %2 次，最近一次为 %3。</translation>
    </message>
    <message>
        <source>This code: never before.</source>
        <translation>此代码：首次出现。</translation>
    </message>
    <message>
        <source>This code: %1 times before.</source>
        <translation>此代码：此前出现过 %1 次。</translation>
    </message>
    <message>
        <source>Last allowed run (%1)</source>
        <translation>上次允许的运行（%1）</translation>
    </message>
    <message>
        <source>This one</source>
        <translation>本次</translation>
    </message>
    <message>
        <source>%1  %2  line %3:  %4  (%5)</source>
        <translation>%1  %2  第 %3 行：%4（%5）</translation>
    </message>
    <message>
        <source>!!  static analysis could not look at the whole program</source>
        <translation>!!  静态分析未能覆盖整个程序</translation>
    </message>
    <message numerus="yes">
        <source>%n invisible or unusual character(s), written as \u{…}</source>
        <translation>
            <numerusform>%n 个不可见或异常字符，显示为 \u{…}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n letter(s), quote(s) or blank(s) that look like others, written as \u{…}</source>
        <translation>
            <numerusform>%n 个形近的字母、引号或空白，显示为 \u{…}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n long run(s) of blank lines, shown counted</source>
        <translation>
            <numerusform>%n 处大段空行，仅显示行数</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n long gap(s) in lines, shown counted</source>
        <translation>
            <numerusform>%n 处行内大段空白，仅显示数量</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) of over 2,000 characters, broken with ↩</source>
        <translation>
            <numerusform>%n 行超过 2,000 个字符，以 ↩ 折行</numerusform>
        </translation>
    </message>
    <message>
        <source>for this session</source>
        <translation>本次会话内</translation>
    </message>
    <message>
        <source>for an hour</source>
        <translation>一小时内</translation>
    </message>
    <message>
        <source>always</source>
        <translation>始终</translation>
    </message>
    <message>
        <source>%1 — would have matched %2 of the last %3 runs</source>
        <translation>%1 — 最近 %3 次运行中会匹配 %2 次</translation>
    </message>
    <message>
        <source>denied by itself in %1</source>
        <translation>%1 后自动拒绝</translation>
    </message>
    <message>
        <source>the clock stands</source>
        <translation>计时已暂停</translation>
    </message>
    <message>
        <source>the client stops waiting in %1; you can still allow, the result is kept for it</source>
        <translation>客户端将在 %1 后停止等待；之后仍可允许，结果会为其保留</translation>
    </message>
    <message>
        <source>Nothing waits here.</source>
        <translation>没有等待审批的程序。</translation>
    </message>
    <message>
        <source>Looking at your changes…</source>
        <translation>正在分析你的修改…</translation>
    </message>
    <message>
        <source>Your version holds invisible or unusual characters; take them out.</source>
        <translation>你的版本含有不可见或异常字符，请将其删除。</translation>
    </message>
    <message>
        <source>The policy denies your version: %1</source>
        <translation>策略拒绝你的版本：%1</translation>
    </message>
    <message>
        <source>Scroll to the end of the code first.</source>
        <translation>请先滚动到代码末尾。</translation>
    </message>
    <message>
        <source>Allow the edited code  (Ctrl+Return)</source>
        <translation>允许修改后的代码  (Ctrl+Return)</translation>
    </message>
    <message>
        <source>&amp;Discard my changes</source>
        <translation>放弃修改(&amp;D)</translation>
    </message>
    <message>
        <source>As it was sent</source>
        <translation>客户端发送的版本</translation>
    </message>
    <message>
        <source>Your version</source>
        <translation>你的版本</translation>
    </message>
</context>
<context>
    <name>belljar::ui::ApprovalNotifier</name>
    <message>
        <source>Show</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Deny</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Deny all %1</source>
        <translation>全部拒绝（%1 个）</translation>
    </message>
    <message numerus="yes">
        <source>%n program(s) wait for your answer</source>
        <translation>
            <numerusform>%n 个程序等待你审批</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>belljar::ui::ApprovalsScreen</name>
    <message>
        <source>A client without a name</source>
        <translation>未命名的客户端</translation>
    </message>
    <message>
        <source>You have allowed it.</source>
        <translation>你已允许。</translation>
    </message>
    <message>
        <source>You have denied it.</source>
        <translation>你已拒绝。</translation>
    </message>
    <message>
        <source>Denied: %1.</source>
        <translation>已拒绝：%1。</translation>
    </message>
    <message>
        <source>Allowed by the decision that you have just remembered.</source>
        <translation>已按刚才记住的决定允许。</translation>
    </message>
    <message>
        <source>Denied by the decision that you have just remembered.</source>
        <translation>已按刚才记住的决定拒绝。</translation>
    </message>
    <message>
        <source>It waits no longer: %1.</source>
        <translation>已不再等待：%1。</translation>
    </message>
    <message>
        <source>this code (%1…)</source>
        <translation>此代码（%1…）</translation>
    </message>
    <message>
        <source>the case of rule %1</source>
        <translation>规则 %1 的情形</translation>
    </message>
    <message>
        <source>, with no other finding than %1</source>
        <translation>，且除 %1 外无其他发现项</translation>
    </message>
    <message>
        <source>&amp;Revoke</source>
        <translation>撤销(&amp;R)</translation>
    </message>
    <message>
        <source>Revoke &amp;all…</source>
        <translation>全部撤销(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Lift</source>
        <translation>解除停用(&amp;L)</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Remembered</source>
        <translation>已记住</translation>
    </message>
    <message>
        <source>Answered today</source>
        <translation>今天已答复</translation>
    </message>
    <message>
        <source>Questions that wait</source>
        <translation>等待中的审批请求</translation>
    </message>
    <message>
        <source>Nothing waits for you.

A question appears here when the policy of a client says that a person decides: the Policies say which programs that are. Without an answer it is denied.</source>
        <translation>没有等待你审批的程序。

当客户端的策略规定由人决定时，审批请求会显示在这里；哪些程序需要审批，请查看“策略”。未得到答复的请求会被拒绝。</translation>
    </message>
    <message>
        <source>Remembered decisions</source>
        <translation>已记住的决定</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>答复</translation>
    </message>
    <message>
        <source>Covers</source>
        <translation>适用范围</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>Policy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Until</source>
        <translation>有效期至</translation>
    </message>
    <message>
        <source>Hits</source>
        <translation>匹配次数</translation>
    </message>
    <message>
        <source>Last used</source>
        <translation>上次使用</translation>
    </message>
    <message>
        <source>Made from</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Stopped sessions</source>
        <translation>已停用的会话</translation>
    </message>
    <message>
        <source>Sessions that you have stopped; what they send is rejected:</source>
        <translation>你已停用的会话；其发送的内容会被拒绝：</translation>
    </message>
    <message>
        <source>Revoke all</source>
        <translation>全部撤销</translation>
    </message>
    <message numerus="yes">
        <source>All %n remembered decision(s) are revoked. What they answered is asked again.</source>
        <translation>
            <numerusform>已撤销全部 %n 条已记住的决定。相关情形将重新询问。</numerusform>
        </translation>
    </message>
    <message>
        <source>Denied: %1, %2</source>
        <translation>已拒绝：%1，%2</translation>
    </message>
    <message>
        <source>&amp;Ask again</source>
        <translation>重新询问(&amp;A)</translation>
    </message>
    <message>
        <source>Answered today (%1)</source>
        <translation>今天已答复（%1）</translation>
    </message>
    <message numerus="yes">
        <source>%n question(s) settled by the decision that you have just remembered.</source>
        <translation>
            <numerusform>已按刚才记住的决定处理 %n 个审批请求。</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Revoke it</source>
        <translation>撤销此决定(&amp;R)</translation>
    </message>
    <message>
        <source>revoked</source>
        <translation>已撤销</translation>
    </message>
    <message>
        <source>the session ends</source>
        <translation>会话结束</translation>
    </message>
    <message>
        <source>allow</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>deny</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>(no name)</source>
        <translation>（未命名）</translation>
    </message>
    <message>
        <source>never</source>
        <translation>从未</translation>
    </message>
    <message>
        <source>Remembered (%1)</source>
        <translation>已记住（%1）</translation>
    </message>
    <message>
        <source>%1, pid %2</source>
        <translation>%1，pid %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Waiting (%1)</source>
        <translation>等待中（%1）</translation>
    </message>
    <message>
        <source>%1 wants to run %2 and waits for you</source>
        <translation>%1 请求运行 %2 程序，等待你审批</translation>
    </message>
    <message numerus="yes">
        <source>%n program(s) wait for you</source>
        <translation>
            <numerusform>%n 个程序等待你审批</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>belljar::ui::AssignmentsView</name>
    <message>
        <source>Clients and their policies, in order</source>
        <translation>客户端及其策略（按顺序）</translation>
    </message>
    <message>
        <source>Client name</source>
        <translation>客户端名称</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Policy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>&amp;Everyone else gets</source>
        <translation>其他客户端使用(&amp;E)</translation>
    </message>
    <message>
        <source>Add client</source>
        <translation>添加客户端</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>The first row that fits a client decides. A name is what the client says of itself; the program is the path of its process. An empty cell fits every client.</source>
        <translation>以首个匹配客户端的行为准。名称由客户端自报；程序是其进程的路径。空单元格匹配所有客户端。</translation>
    </message>
</context>
<context>
    <name>belljar::ui::AuditModel</name>
    <message>
        <source>Row</source>
        <translation>序号</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>What</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Execution</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>Detail</source>
        <translation>详情</translation>
    </message>
</context>
<context>
    <name>belljar::ui::AuditScreen</name>
    <message>
        <source>&amp;Clear the filter</source>
        <translation>清除筛选(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Try again</source>
        <translation>重试(&amp;T)</translation>
    </message>
    <message>
        <source>Loading the audit log…</source>
        <translation>正在加载审计日志…</translation>
    </message>
    <message>
        <source>Nothing is recorded yet. Every request, decision, approval and policy change appears here, in a chain that can&apos;t be altered unnoticed.</source>
        <translation>尚无记录。所有请求、决定、审批和策略更改都会显示在这里，并组成哈希链，任何篡改都会被发现。</translation>
    </message>
    <message>
        <source>No row matches the filter.</source>
        <translation>没有符合筛选条件的记录。</translation>
    </message>
    <message>
        <source>Audit log</source>
        <translation>审计日志</translation>
    </message>
    <message>
        <source>The audit log can&apos;t be read</source>
        <translation>无法读取审计日志</translation>
    </message>
    <message>
        <source>Export the audit log</source>
        <translation>导出审计日志</translation>
    </message>
    <message>
        <source>Lines of JSON (*.jsonl);;All files (*)</source>
        <translation>JSON Lines (*.jsonl);;所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>belljar::ui::Banners</name>
    <message>
        <source>Image build log</source>
        <translation>镜像构建日志</translation>
    </message>
    <message>
        <source>&amp;Show</source>
        <translation>查看(&amp;S)</translation>
    </message>
    <message>
        <source>The program was not run: %1</source>
        <translation>程序未能运行：%1</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>关闭(&amp;C)</translation>
    </message>
    <message>
        <source>Paused since %1: no program starts until you resume</source>
        <translation>自 %1 起已暂停：恢复之前不会启动任何程序</translation>
    </message>
    <message>
        <source>Clients can send programs; they wait. What ran already goes on: Ctrl+Shift+. stops it.</source>
        <translation>客户端仍可发送程序，但程序会等待。已在运行的程序将继续；按 Ctrl+Shift+. 可将其停止。</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>恢复(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Look again</source>
        <translation>重新检测(&amp;L)</translation>
    </message>
    <message>
        <source>Belljar&apos;s engine does not run: %1</source>
        <translation>Belljar 引擎未运行：%1</translation>
    </message>
    <message>
        <source>Another Belljar of yours serves the clients. The history below is up to date with it only up to now. End the other one, then try again.</source>
        <translation>你的另一个 Belljar 正在为客户端服务，下方的历史记录只更新到目前为止。请结束另一个 Belljar，然后重试。</translation>
    </message>
    <message>
        <source>&amp;Try again</source>
        <translation>重试(&amp;T)</translation>
    </message>
    <message>
        <source>The audit log is damaged: %1</source>
        <translation>审计日志已损坏：%1</translation>
    </message>
    <message>
        <source>The file of policy %1 is broken in line %2 (%3); its last good version stays in force.</source>
        <translation>策略 %1 的文件第 %2 行有误（%3）；上一个有效版本继续生效。</translation>
    </message>
    <message>
        <source>The file of policy %1 was changed so that it allows more (%2); that is not in force.</source>
        <translation>策略 %1 的文件已被更改，放宽了限制（%2）；该更改尚未生效。</translation>
    </message>
    <message>
        <source>The assignment of policies was changed on disk so that it allows more (%1); that is not in force.</source>
        <translation>策略分配已在磁盘上被更改，放宽了限制（%1）；该更改尚未生效。</translation>
    </message>
    <message>
        <source>Building the sandbox image for %1. This takes a minute or two.</source>
        <translation>正在构建 %1 的沙箱镜像，需要一两分钟。</translation>
    </message>
    <message>
        <source>The sandbox image for %1 is not there yet, so such programs can&apos;t run.</source>
        <translation>%1 的沙箱镜像尚未构建，无法运行此类程序。</translation>
    </message>
    <message>
        <source>The last build failed: %1</source>
        <translation>上次构建失败：%1</translation>
    </message>
    <message>
        <source>&amp;Build %1</source>
        <translation>构建 %1(&amp;B)</translation>
    </message>
</context>
<context>
    <name>belljar::ui::ChainBar</name>
    <message>
        <source>Damaged at row %1: it isn&apos;t what was written. It was changed, moved or put there afterwards.</source>
        <translation>第 %1 条记录已损坏：内容与写入时不符，事后被更改、移动或插入。</translation>
    </message>
    <message>
        <source>Damaged at row %1: it doesn&apos;t follow the row before it. One of the two was changed or replaced.</source>
        <translation>第 %1 条记录处已损坏：与前一条记录不衔接，两者之一被更改或替换。</translation>
    </message>
    <message>
        <source>Damaged at row %1: rows before it were deleted.</source>
        <translation>第 %1 条记录处已损坏：其之前的记录被删除。</translation>
    </message>
    <message>
        <source>Damaged: a row numbered %1 was put before the first.</source>
        <translation>已损坏：首条记录之前被插入了编号为 %1 的记录。</translation>
    </message>
    <message>
        <source>Damaged: the rows from %1 on were removed from the end.</source>
        <translation>已损坏：从第 %1 条到末尾的记录被删除。</translation>
    </message>
    <message>
        <source>Damaged: row %1 isn&apos;t the one that the head file names. The row, the database or the head file was replaced.</source>
        <translation>已损坏：第 %1 条记录与链头文件所记的不符。该记录、数据库或链头文件被替换。</translation>
    </message>
    <message>
        <source>Damaged: the head file is gone, so rows behind row %1 may be, too.</source>
        <translation>已损坏：链头文件丢失，第 %1 条之后的记录也可能丢失。</translation>
    </message>
    <message>
        <source>Damaged: the head file can&apos;t be read, so rows behind row %1 may be gone.</source>
        <translation>已损坏：无法读取链头文件，第 %1 条之后的记录可能丢失。</translation>
    </message>
    <message>
        <source>Damaged earlier: Belljar found rows before row %1 changed or removed, and went on behind them.</source>
        <translation>此前已损坏：Belljar 发现第 %1 条之前的记录被更改或删除，并在其后继续记录。</translation>
    </message>
    <message>
        <source>Show &amp;row</source>
        <translation>显示记录(&amp;R)</translation>
    </message>
    <message>
        <source>Export e&amp;vidence…</source>
        <translation>导出证据(&amp;V)…</translation>
    </message>
    <message>
        <source>Sto&amp;p</source>
        <translation>停止(&amp;P)</translation>
    </message>
    <message>
        <source>Verify &amp;now</source>
        <translation>立即校验(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Write the rows that match the filter as lines of JSON, with their hashes</source>
        <translation>将符合筛选条件的记录及其哈希以 JSON Lines 格式写出</translation>
    </message>
    <message>
        <source>Check every row of the log and its head file</source>
        <translation>校验日志的每条记录及链头文件</translation>
    </message>
    <message>
        <source>Not verified yet</source>
        <translation>尚未校验</translation>
    </message>
    <message>
        <source>Verifying</source>
        <translation>正在校验</translation>
    </message>
    <message>
        <source>Exporting</source>
        <translation>正在导出</translation>
    </message>
    <message>
        <source>Verified %1 of %2 rows</source>
        <translation>已校验 %1/%2 条记录</translation>
    </message>
    <message>
        <source>Exported %1 of %2 rows</source>
        <translation>已导出 %1/%2 条记录</translation>
    </message>
    <message>
        <source>Export the evidence and keep copies of history.db and audit.head before you do anything else.</source>
        <translation>进行任何其他操作之前，请先导出证据，并备份 history.db 和 audit.head。</translation>
    </message>
    <message>
        <source>%1 places are damaged; this is the first.</source>
        <translation>共有 %1 处损坏；这是第一处。</translation>
    </message>
    <message>
        <source>The end of the log is intact; all of it is checked by Verify now</source>
        <translation>日志末尾完好；点击“立即校验”可检查整个日志</translation>
    </message>
    <message>
        <source>Stopped after %1 rows, no damage so far</source>
        <translation>已校验 %1 条记录后停止，目前未发现损坏</translation>
    </message>
    <message>
        <source>Verified: nothing was recorded yet</source>
        <translation>已校验：尚无记录</translation>
    </message>
    <message>
        <source>Verified to %1, %2 row</source>
        <translation>已校验至 %1，共 %2 条记录</translation>
    </message>
    <message>
        <source>Verified to %1, %2 rows</source>
        <translation>已校验至 %1，共 %2 条记录</translation>
    </message>
    <message>
        <source>%1 rows written to %2</source>
        <translation>已将 %1 条记录写入 %2</translation>
    </message>
</context>
<context>
    <name>belljar::ui::ChangeView</name>
    <message>
        <source>This makes %1</source>
        <translation>将创建 %1</translation>
    </message>
    <message>
        <source>This removes %1, which Belljar has made</source>
        <translation>将删除由 Belljar 创建的 %1</translation>
    </message>
    <message>
        <source>This changes %1</source>
        <translation>将更改 %1</translation>
    </message>
    <message>
        <source>The file as it is now stays beside it as %1.</source>
        <translation>当前文件将以 %1 为名保留在同一目录中。</translation>
    </message>
    <message>
        <source>&amp;Write this change</source>
        <translation>写入此更改(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Leave it as it is</source>
        <translation>保持不变(&amp;L)</translation>
    </message>
    <message>
        <source>The change: lines with - go, lines with + come</source>
        <translation>更改内容：以 - 开头的行将移除，以 + 开头的行将添加</translation>
    </message>
    <message numerus="yes">
        <source>… (%n more line(s) change)</source>
        <translation>
            <numerusform>…（另有 %n 行更改）</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>belljar::ui::ClientPane</name>
    <message>
        <source>%1 doesn&apos;t know Belljar yet.</source>
        <translation>%1 尚未配置 Belljar。</translation>
    </message>
    <message>
        <source>%1 was not found on this machine.</source>
        <translation>在此计算机上未找到 %1。</translation>
    </message>
    <message>
        <source>%1 is set up to use Belljar.</source>
        <translation>%1 已配置为使用 Belljar。</translation>
    </message>
    <message>
        <source>The entry &quot;belljar&quot; of %1 leads to another program or address than this Belljar, or is switched off.</source>
        <translation>%1 的“belljar”条目指向的程序或地址不是此 Belljar，或者已被禁用。</translation>
    </message>
    <message>
        <source>The entry &quot;belljar&quot; of %1 names a program that isn&apos;t there.</source>
        <translation>%1 的“belljar”条目所指的程序不存在。</translation>
    </message>
    <message>
        <source>The configuration of %1 can&apos;t be read, line %2, column %3: %4. Belljar changes nothing in it until that is mended.</source>
        <translation>无法读取 %1 的配置，第 %2 行第 %3 列：%4。修正之前，Belljar 不会对其作任何更改。</translation>
    </message>
    <message>
        <source>The configuration of %1 can&apos;t be read: %2</source>
        <translation>无法读取 %1 的配置：%2</translation>
    </message>
    <message>
        <source>%1 (not as Belljar wrote it)</source>
        <translation>%1（与 Belljar 写入的不同）</translation>
    </message>
    <message>
        <source>Pick a client to see how it reaches Belljar.</source>
        <translation>选择一个客户端，查看它如何连接 Belljar。</translation>
    </message>
    <message>
        <source>Take Belljar &amp;out…</source>
        <translation>移除 Belljar(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Undo the last change…</source>
        <translation>撤消上次更改(&amp;U)…</translation>
    </message>
    <message>
        <source>Open f&amp;older</source>
        <translation>打开文件夹(&amp;F)</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Entry</source>
        <translation>条目</translation>
    </message>
    <message>
        <source>Its configuration</source>
        <translation>客户端配置</translation>
    </message>
    <message>
        <source>Connections</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Transport</source>
        <translation>传输方式</translation>
    </message>
    <message>
        <source>Revision</source>
        <translation>协议版本</translation>
    </message>
    <message>
        <source>Since</source>
        <translation>连接时间</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行数</translation>
    </message>
    <message>
        <source>Policy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>&amp;Disconnect</source>
        <translation>断开连接(&amp;D)</translation>
    </message>
    <message>
        <source>Ends the connection and what it runs. It may connect again.</source>
        <translation>结束此连接及其正在运行的程序。客户端可以再次连接。</translation>
    </message>
    <message>
        <source>&amp;Block</source>
        <translation>阻止(&amp;B)</translation>
    </message>
    <message>
        <source>Its connections</source>
        <translation>客户端的连接</translation>
    </message>
    <message>
        <source>(no name)</source>
        <translation>（未命名）</translation>
    </message>
    <message>
        <source>There is nothing to change: the entry leads here already.</source>
        <translation>无需更改：该条目已指向此处。</translation>
    </message>
    <message>
        <source>Belljar didn&apos;t write the entry that is there; &amp;change it all the same</source>
        <translation>现有条目不是 Belljar 写入的；仍要更改(&amp;C)</translation>
    </message>
    <message>
        <source>%1 was not found here; &amp;make its configuration all the same</source>
        <translation>在此未找到 %1；仍要创建其配置(&amp;M)</translation>
    </message>
    <message>
        <source>%1 (there is none yet)</source>
        <translation>%1（尚不存在）</translation>
    </message>
    <message>
        <source>&amp;Lead it here…</source>
        <translation>指向此 Belljar(&amp;L)…</translation>
    </message>
    <message>
        <source>&amp;Connect…</source>
        <translation>连接(&amp;C)…</translation>
    </message>
    <message>
        <source>Written. %1</source>
        <translation>已写入。%1</translation>
    </message>
    <message>
        <source>Written. %1 Waiting for %2 to connect…</source>
        <translation>已写入。%1 正在等待 %2 连接…</translation>
    </message>
    <message>
        <source>Written. %1 is connected, protocol revision %2.</source>
        <translation>已写入。%1 已连接，协议版本 %2。</translation>
    </message>
    <message>
        <source>Waiting for %1 to connect… %2</source>
        <translation>正在等待 %1 连接… %2</translation>
    </message>
    <message>
        <source>blocked</source>
        <translation>已阻止</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>%1 (process %2)</source>
        <translation>%1（进程 %2）</translation>
    </message>
    <message>
        <source>It isn&apos;t connected now.</source>
        <translation>当前未连接。</translation>
    </message>
    <message>
        <source>It is blocked: its calls are refused. It isn&apos;t connected now.</source>
        <translation>已阻止：其调用会被拒绝。当前未连接。</translation>
    </message>
    <message>
        <source>It is blocked: its calls are refused, and it is told so.</source>
        <translation>已阻止：其调用会被拒绝，并会告知客户端。</translation>
    </message>
    <message>
        <source>Un&amp;block</source>
        <translation>解除阻止(&amp;B)</translation>
    </message>
    <message>
        <source>Lets it call again.</source>
        <translation>允许其再次调用。</translation>
    </message>
    <message>
        <source>Ends its connections and refuses its calls until you unblock it.</source>
        <translation>结束其连接并拒绝其调用，直到你解除阻止。</translation>
    </message>
</context>
<context>
    <name>belljar::ui::ClientsModel</name>
    <message>
        <source>client not found</source>
        <translation>未找到客户端</translation>
    </message>
    <message>
        <source>blocked</source>
        <translation>已阻止</translation>
    </message>
    <message>
        <source>connected</source>
        <translation>已连接</translation>
    </message>
    <message numerus="yes">
        <source>%n connections</source>
        <translation>
            <numerusform>%n 个连接</numerusform>
        </translation>
    </message>
    <message>
        <source>waiting for it</source>
        <translation>正在等待连接</translation>
    </message>
    <message>
        <source>(no name)</source>
        <translation>（未命名）</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未识别</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation>配置</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>当前状态</translation>
    </message>
    <message>
        <source>Last run</source>
        <translation>上次运行</translation>
    </message>
</context>
<context>
    <name>belljar::ui::ClientsScreen</name>
    <message>
        <source>Look a&amp;gain</source>
        <translation>重新检测(&amp;G)</translation>
    </message>
    <message>
        <source>Reads the clients&apos; configurations again.</source>
        <translation>重新读取各客户端的配置。</translation>
    </message>
    <message>
        <source>Looking for clients…</source>
        <translation>正在查找客户端…</translation>
    </message>
    <message>
        <source>Clients</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>&amp;Try again</source>
        <translation>重试(&amp;T)</translation>
    </message>
    <message>
        <source>The clients can&apos;t be looked for.</source>
        <translation>无法查找客户端。</translation>
    </message>
    <message>
        <source>Pick a client to see how it reaches Belljar.</source>
        <translation>选择一个客户端，查看它如何连接 Belljar。</translation>
    </message>
</context>
<context>
    <name>belljar::ui::CodeView</name>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message numerus="yes">
        <source>%n unusual character(s), written as \u{…}</source>
        <translation>
            <numerusform>%n 个异常字符，显示为 \u{…}</numerusform>
        </translation>
    </message>
    <message>
        <source>lines end with CR LF</source>
        <translation>行尾为 CR LF</translation>
    </message>
</context>
<context>
    <name>belljar::ui::CommandPalette</name>
    <message>
        <source>An action, a run&apos;s id, or a word of its code or output</source>
        <translation>操作、运行 ID，或代码及输出中的词</translation>
    </message>
    <message>
        <source>Find an action or a run</source>
        <translation>查找操作或运行</translation>
    </message>
    <message>
        <source>What fits</source>
        <translation>匹配项</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Show run %1</source>
        <translation>查看运行 %1</translation>
    </message>
    <message>
        <source>Find runs: %1</source>
        <translation>查找运行：%1</translation>
    </message>
</context>
<context>
    <name>belljar::ui::CompareDialog</name>
    <message>
        <source>%1 cores</source>
        <translation>%1 核</translation>
    </message>
    <message>
        <source>Facts of both runs</source>
        <translation>两次运行的信息</translation>
    </message>
    <message>
        <source>Fact</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>First</source>
        <translation>第一次</translation>
    </message>
    <message>
        <source>Second</source>
        <translation>第二次</translation>
    </message>
    <message>
        <source>Differs</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>differs</source>
        <translation>不同</translation>
    </message>
    <message>
        <source>Compare two runs</source>
        <translation>比较两次运行</translation>
    </message>
    <message>
        <source>%1 (the same)</source>
        <translation>%1（相同）</translation>
    </message>
    <message numerus="yes">
        <source>%1 (%n line(s) differ)</source>
        <translation>
            <numerusform>%1（%n 行不同）</numerusform>
        </translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Limits and timing</source>
        <translation>限制与计时</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Exit code</source>
        <translation>退出码</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>耗时</translation>
    </message>
    <message>
        <source>CPU time</source>
        <translation>CPU 时间</translation>
    </message>
    <message>
        <source>Queued</source>
        <translation>排队时间</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>内存峰值</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>发现项</translation>
    </message>
    <message>
        <source>Policy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation>时间上限</translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation>内存上限</translation>
    </message>
    <message>
        <source>CPU limit</source>
        <translation>CPU 上限</translation>
    </message>
    <message>
        <source>Process limit</source>
        <translation>进程上限</translation>
    </message>
    <message>
        <source>Output limit</source>
        <translation>输出上限</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>镜像</translation>
    </message>
    <message>
        <source>Ignore &amp;spaces</source>
        <translation>忽略空白(&amp;S)</translation>
    </message>
    <message>
        <source>Ignore &amp;times and addresses</source>
        <translation>忽略时间和地址(&amp;T)</translation>
    </message>
    <message>
        <source>Dates, times of day, durations, addresses in memory and UUIDs count as equal</source>
        <translation>日期、时刻、时长、内存地址和 UUID 视为相同</translation>
    </message>
</context>
<context>
    <name>belljar::ui::Dashboard</name>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Succeeded, 24 h</source>
        <translation>成功率（24 小时）</translation>
    </message>
    <message>
        <source>Runs, last hour</source>
        <translation>运行数（1 小时）</translation>
    </message>
    <message>
        <source>Median time</source>
        <translation>耗时中位数</translation>
    </message>
    <message>
        <source>95 % below</source>
        <translation>P95 耗时</translation>
    </message>
    <message>
        <source>CPU of sandboxes</source>
        <translation>沙箱 CPU</translation>
    </message>
    <message>
        <source>Memory of sandboxes</source>
        <translation>沙箱内存</translation>
    </message>
    <message>
        <source>Clients, 24 h</source>
        <translation>客户端（24 小时）</translation>
    </message>
    <message>
        <source>Languages, 24 h</source>
        <translation>语言（24 小时）</translation>
    </message>
    <message>
        <source>Show what did not succeed</source>
        <translation>显示未成功的运行</translation>
    </message>
    <message>
        <source>%1 (%2 for you)</source>
        <translation>%1（%2 个待你审批）</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1%</translation>
    </message>
    <message>
        <source>(unnamed)</source>
        <translation>（未命名）</translation>
    </message>
    <message>
        <source>%1: %2 runs</source>
        <translation>%1：%2 次运行</translation>
    </message>
    <message>
        <source>%1 of %2 cores</source>
        <translation>%1 / %2 核</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>belljar::ui::DiffView</name>
    <message>
        <source>Before</source>
        <translation>更改前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>更改后</translation>
    </message>
    <message>
        <source>Previous difference (Shift+F8)</source>
        <translation>上一处差异 (Shift+F8)</translation>
    </message>
    <message>
        <source>Next difference (F8)</source>
        <translation>下一处差异 (F8)</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>第 %1 处，共 %2 处</translation>
    </message>
    <message numerus="yes">
        <source>%n place(s) differ</source>
        <translation>
            <numerusform>%n 处不同</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>belljar::ui::EffectLoader</name>
    <message>
        <source>There is no analysis here.</source>
        <translation>此处无法进行分析。</translation>
    </message>
</context>
<context>
    <name>belljar::ui::EffectView</name>
    <message>
        <source>allowed</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>asks</source>
        <translation>询问</translation>
    </message>
    <message>
        <source>denied</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Decision: %1</source>
        <translation>判定：%1</translation>
    </message>
    <message>
        <source>Rule &quot;%1&quot;: %2</source>
        <translation>规则“%1”：%2</translation>
    </message>
    <message>
        <source>Line %1, %2 (%3): %4</source>
        <translation>第 %1 行，%2（%3）：%4</translation>
    </message>
    <message>
        <source>The history can&apos;t be read: %1</source>
        <translation>无法读取历史记录：%1</translation>
    </message>
    <message>
        <source>Executions and how they would be decided</source>
        <translation>历次运行及其判定结果</translation>
    </message>
    <message>
        <source>In force</source>
        <translation>生效策略</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>Received</source>
        <translation>接收时间</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>Try a program out (it is analysed and decided on, not run)</source>
        <translation>试判定程序（只分析和判定，不运行）</translation>
    </message>
    <message>
        <source>Program to try out</source>
        <translation>要试判定的程序</translation>
    </message>
    <message>
        <source>Paste code here</source>
        <translation>在此粘贴代码</translation>
    </message>
    <message>
        <source>name of the client</source>
        <translation>客户端名称</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Decide</source>
        <translation>判定</translation>
    </message>
    <message>
        <source>No decision yet</source>
        <translation>尚未判定</translation>
    </message>
    <message>
        <source>The draft has errors: what it would do can&apos;t be said.</source>
        <translation>草稿有错误，无法得知其效果。</translation>
    </message>
    <message>
        <source>Deciding past executions anew…</source>
        <translation>正在重新判定过去的运行…</translation>
    </message>
    <message>
        <source>No past executions to compare with.</source>
        <translation>没有可供比较的运行。</translation>
    </message>
    <message numerus="yes">
        <source>%n more had no analysis on record.</source>
        <translation>
            <numerusform>另有 %n 次运行没有分析记录。</numerusform>
        </translation>
    </message>
    <message>
        <source>The draft has errors; mend them first.</source>
        <translation>草稿有错误，请先修正。</translation>
    </message>
    <message>
        <source>Analysis isn&apos;t available in this window.</source>
        <translation>此窗口无法使用分析功能。</translation>
    </message>
    <message>
        <source>%1 (remembered)</source>
        <translation>%1（已记住）</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>限制</translation>
    </message>
    <message numerus="yes">
        <source>The last %n execution(s), as if this policy decided them all, now.</source>
        <translation>
            <numerusform>最近 %n 次运行，假设现在全部由此策略判定。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>belljar::ui::EngineRows</name>
    <message>
        <source>not there yet</source>
        <translation>尚未就绪</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>The engine keeps its settings in settings.json, for people too.</source>
        <translation>引擎的设置保存在 settings.json 中，也可以手动编辑。</translation>
    </message>
    <message>
        <source>Docker</source>
        <translation>Docker</translation>
    </message>
    <message>
        <source>Address of the container engine, as unix:///run/user/1000/docker.sock. Empty: it is found. Takes effect when Belljar is started again.</source>
        <translation>容器引擎的地址，例如 unix:///run/user/1000/docker.sock。留空则自动查找。重新启动 Belljar 后生效。</translation>
    </message>
    <message>
        <source>Programs at once</source>
        <translation>同时运行的程序数</translation>
    </message>
    <message>
        <source>More wait for their turn.</source>
        <translation>超出的程序排队等待。</translation>
    </message>
    <message>
        <source>MCP over HTTP</source>
        <translation>基于 HTTP 的 MCP</translation>
    </message>
    <message>
        <source>Serve MCP over HTTP</source>
        <translation>通过 HTTP 提供 MCP</translation>
    </message>
    <message>
        <source>For clients that can&apos;t start a program. Who has the token can run programs.</source>
        <translation>供无法启动程序的客户端使用。持有令牌者可以运行程序。</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>127.0.0.1 is for this machine alone. Another needs a certificate.</source>
        <translation>127.0.0.1 仅限本机；其他地址需要证书。</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>端口</translation>
    </message>
    <message>
        <source>TLS certificate</source>
        <translation>TLS 证书</translation>
    </message>
    <message>
        <source>A PEM file with its chain.</source>
        <translation>包含证书链的 PEM 文件。</translation>
    </message>
    <message>
        <source>TLS key</source>
        <translation>TLS 密钥</translation>
    </message>
    <message>
        <source>A PEM file.</source>
        <translation>PEM 文件。</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>Copy the URL</source>
        <translation>复制 URL</translation>
    </message>
    <message>
        <source>URL</source>
        <translation>URL</translation>
    </message>
    <message>
        <source>What an HTTP client is told.</source>
        <translation>填写到 HTTP 客户端中的地址。</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>令牌</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>已隐藏</translation>
    </message>
    <message>
        <source>S&amp;how</source>
        <translation>显示(&amp;H)</translation>
    </message>
    <message>
        <source>Show the token</source>
        <translation>显示令牌</translation>
    </message>
    <message>
        <source>&amp;New…</source>
        <translation>更换(&amp;N)…</translation>
    </message>
    <message>
        <source>Make a new token</source>
        <translation>生成新令牌</translation>
    </message>
    <message>
        <source>HTTP clients show it with every request. A new one ends the old one at once.</source>
        <translation>HTTP 客户端在每个请求中出示它。生成新令牌后，旧令牌立即失效。</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史记录</translation>
    </message>
    <message>
        <source>Keep runs for</source>
        <translation>运行的保留时间</translation>
    </message>
    <message>
        <source>Older ones are deleted, with code and output. Pinned runs stay, and the audit log keeps that they ran.</source>
        <translation>更早的运行连同代码和输出一起删除。已固定的运行会保留，审计日志仍记录它们运行过。</translation>
    </message>
    <message>
        <source> days</source>
        <translation> 天</translation>
    </message>
    <message>
        <source>ever</source>
        <translation>永久</translation>
    </message>
    <message>
        <source>Keep runs up to</source>
        <translation>运行的保留大小</translation>
    </message>
    <message>
        <source>Where they take more, the oldest are deleted. Pinned runs stay.</source>
        <translation>超出时删除最早的运行。已固定的运行会保留。</translation>
    </message>
    <message>
        <source> MB</source>
        <translation> MB</translation>
    </message>
    <message>
        <source>any size</source>
        <translation>不限大小</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>打开(&amp;O)</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>History, audit log and token are here.</source>
        <translation>历史记录、审计日志和令牌都在这里。</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>The file of the history keeps its size; what is deleted in it makes room for what comes.</source>
        <translation>历史记录文件的大小不会缩小；删除后空出的空间供以后使用。</translation>
    </message>
    <message>
        <source>Clean &amp;up…</source>
        <translation>清理(&amp;U)…</translation>
    </message>
    <message>
        <source>Clean up now</source>
        <translation>立即清理</translation>
    </message>
    <message>
        <source>Deletes what is to go by the settings of the history; else that is done every hour.</source>
        <translation>按历史记录的设置删除应删除的内容；平时每小时自动进行一次。</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>runs with the defaults: %1. What is changed here takes the file&apos;s place; it is kept as settings.json.broken.</source>
        <translation>正在使用默认设置运行：%1。在此更改会取代该文件，原文件保留为 settings.json.broken。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Not changed. %1</source>
        <translation>未更改。%1</translation>
    </message>
    <message>
        <source>%1 for %2 runs, of which %3 are in use; log %4</source>
        <translation>%2 次运行共 %1，其中 %3 在使用；日志 %4</translation>
    </message>
    <message>
        <source>does not run, so nothing can be set</source>
        <translation>没有运行，因此无法设置</translation>
    </message>
    <message>
        <source>It is off.</source>
        <translation>已关闭。</translation>
    </message>
    <message>
        <source>Not served: %1</source>
        <translation>未提供服务：%1</translation>
    </message>
    <message>
        <source>New token</source>
        <translation>新令牌</translation>
    </message>
    <message>
        <source>Make a new token?</source>
        <translation>要生成新令牌吗？</translation>
    </message>
    <message>
        <source>HTTP clients that show the old one are cut off at once. Connect them again, so that their configuration has the new one.</source>
        <translation>出示旧令牌的 HTTP 客户端会立即断开。请重新连接它们，让配置使用新令牌。</translation>
    </message>
    <message>
        <source>Make a &amp;new one</source>
        <translation>生成新令牌(&amp;N)</translation>
    </message>
    <message>
        <source>Clean up</source>
        <translation>清理</translation>
    </message>
    <message>
        <source>Nothing is to go by what is set about the history.</source>
        <translation>按历史记录的设置，没有需要删除的内容。</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n run(s) from the history?</source>
        <translation>
            <numerusform>要从历史记录中删除 %n 次运行吗？</numerusform>
        </translation>
    </message>
    <message>
        <source>Code and output go. The audit log keeps that they ran.</source>
        <translation>代码和输出会被删除。审计日志仍记录它们运行过。</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>删除(&amp;D)</translation>
    </message>
</context>
<context>
    <name>belljar::ui::ExecutionPage</name>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>Run &amp;again</source>
        <translation>再次运行(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>Facts</source>
        <translation>信息</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>End this run (Ctrl+.)</source>
        <translation>结束此运行 (Ctrl+.)</translation>
    </message>
    <message>
        <source>Run this code again with the same limits (Ctrl+R)</source>
        <translation>以相同的限制再次运行此代码 (Ctrl+R)</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Execution id</source>
        <translation>运行 ID</translation>
    </message>
    <message>
        <source>As a command</source>
        <translation>等效命令</translation>
    </message>
    <message>
        <source>Select a run to see what it printed.</source>
        <translation>选择一次运行以查看其输出。</translation>
    </message>
    <message>
        <source>This run can&apos;t be read from the history: %1</source>
        <translation>无法从历史记录中读取此运行：%1</translation>
    </message>
    <message>
        <source>Not started yet.</source>
        <translation>尚未启动。</translation>
    </message>
    <message>
        <source>It never started. %1</source>
        <translation>从未启动。%1</translation>
    </message>
    <message>
        <source>No output.</source>
        <translation>无输出。</translation>
    </message>
    <message>
        <source>No output yet.</source>
        <translation>暂无输出。</translation>
    </message>
    <message>
        <source>No run selected</source>
        <translation>未选择运行</translation>
    </message>
    <message>
        <source>from %1 (as it calls itself)</source>
        <translation>来自 %1（自报名称）</translation>
    </message>
    <message>
        <source>exit code %1</source>
        <translation>退出码 %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Make a r&amp;ule…</source>
        <translation>创建规则(&amp;U)…</translation>
    </message>
    <message>
        <source>Draft a rule of the policy from this run</source>
        <translation>根据此次运行起草一条策略规则</translation>
    </message>
    <message>
        <source>Container</source>
        <translation>容器</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Files (%1)</source>
        <translation>文件（%1）</translation>
    </message>
    <message>
        <source>Save the file</source>
        <translation>保存文件</translation>
    </message>
    <message>
        <source>Save all files in a new folder of this one</source>
        <translation>将全部文件保存到此处的新文件夹</translation>
    </message>
    <message>
        <source>Not saved</source>
        <translation>未保存</translation>
    </message>
    <message>
        <source>%1 was not written: %2</source>
        <translation>未能写入 %1：%2</translation>
    </message>
</context>
<context>
    <name>belljar::ui::FactsView</name>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Exit code</source>
        <translation>退出码</translation>
    </message>
    <message>
        <source>Signal</source>
        <translation>信号</translation>
    </message>
    <message>
        <source>Time in the sandbox</source>
        <translation>沙箱内耗时</translation>
    </message>
    <message>
        <source>Processor time</source>
        <translation>CPU 时间</translation>
    </message>
    <message>
        <source>Waited for a sandbox</source>
        <translation>等待沙箱的时间</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>内存峰值</translation>
    </message>
    <message>
        <source>%1 bytes, %2 lines</source>
        <translation>%1 字节，%2 行</translation>
    </message>
    <message>
        <source>; %1 bytes kept</source>
        <translation>；保留 %1 字节</translation>
    </message>
    <message>
        <source>; %1 bytes not text</source>
        <translation>；%1 字节非文本</translation>
    </message>
    <message>
        <source>stdout</source>
        <translation>stdout</translation>
    </message>
    <message>
        <source>stderr</source>
        <translation>stderr</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>限制</translation>
    </message>
    <message>
        <source>%1, %2 memory, %3 of a core, %4 processes, %5 of output kept per stream</source>
        <translation>%1，内存 %2，CPU %3 核，进程 %4 个，每个流保留 %5 输出</translation>
    </message>
    <message>
        <source>Client (as it calls itself)</source>
        <translation>客户端（自报名称）</translation>
    </message>
    <message>
        <source>Its process</source>
        <translation>客户端进程</translation>
    </message>
    <message>
        <source>Protocol</source>
        <translation>协议</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>镜像</translation>
    </message>
    <message>
        <source>Image digest</source>
        <translation>镜像摘要</translation>
    </message>
    <message>
        <source>Container</source>
        <translation>容器</translation>
    </message>
    <message>
        <source>Code SHA-256</source>
        <translation>代码 SHA-256</translation>
    </message>
    <message>
        <source>Execution</source>
        <translation>运行</translation>
    </message>
</context>
<context>
    <name>belljar::ui::FilesView</name>
    <message>
        <source>This picture can&apos;t be read: it is damaged, or there is no decoder for it on this machine.</source>
        <translation>无法读取此图片：文件已损坏，或本机没有相应的解码器。</translation>
    </message>
    <message>
        <source>This picture is too large to be shown: %1 × %2 pixels.</source>
        <translation>图片过大，无法显示：%1 × %2 像素。</translation>
    </message>
    <message>
        <source>This picture is damaged.</source>
        <translation>此图片已损坏。</translation>
    </message>
    <message>
        <source>There is no preview of such a file.</source>
        <translation>此类文件没有预览。</translation>
    </message>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>not kept: too large</source>
        <translation>未保留：过大</translation>
    </message>
    <message>
        <source>not kept: too many files</source>
        <translation>未保留：文件过多</translation>
    </message>
    <message>
        <source>not kept: too much together</source>
        <translation>未保留：总量过大</translation>
    </message>
    <message>
        <source>not kept: a link</source>
        <translation>未保留：是链接</translation>
    </message>
    <message>
        <source>not kept: a file of several names</source>
        <translation>未保留：文件有多个名称</translation>
    </message>
    <message>
        <source>not kept: not a plain file</source>
        <translation>未保留：不是普通文件</translation>
    </message>
    <message>
        <source>not kept: its name is too long</source>
        <translation>未保留：名称过长</translation>
    </message>
    <message>
        <source>not kept: it can&apos;t be read</source>
        <translation>未保留：无法读取</translation>
    </message>
    <message>
        <source>&amp;Save…</source>
        <translation>保存(&amp;S)…</translation>
    </message>
    <message>
        <source>Save a&amp;ll…</source>
        <translation>全部保存(&amp;L)…</translation>
    </message>
    <message>
        <source>Text of the file</source>
        <translation>文件内容</translation>
    </message>
    <message>
        <source>Files of the run</source>
        <translation>此次运行的文件</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>It left no files.</source>
        <translation>没有留下文件。</translation>
    </message>
    <message>
        <source>Files are here once the program has ended.</source>
        <translation>程序结束后，文件会显示在这里。</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) kept</source>
        <translation>
            <numerusform>已保留 %n 个文件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not</source>
        <translation>
            <numerusform>%n 个未保留</numerusform>
        </translation>
    </message>
    <message>
        <source>not everything could be looked at</source>
        <translation>未能检查全部内容</translation>
    </message>
    <message>
        <source>Pick a file to look at it.</source>
        <translation>选择一个文件以查看其内容。</translation>
    </message>
    <message>
        <source>Picture %1, %2 × %3 pixels</source>
        <translation>图片 %1，%2 × %3 像素</translation>
    </message>
    <message>
        <source>… (the rest is in the saved file)</source>
        <translation>……（其余内容在保存的文件中）</translation>
    </message>
</context>
<context>
    <name>belljar::ui::FilterBar</name>
    <message>
        <source>Any time</source>
        <translation>不限时间</translation>
    </message>
    <message>
        <source>Last hour</source>
        <translation>最近 1 小时</translation>
    </message>
    <message>
        <source>Last 24 hours</source>
        <translation>最近 24 小时</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>最近 7 天</translation>
    </message>
    <message>
        <source>Last 30 days</source>
        <translation>最近 30 天</translation>
    </message>
    <message>
        <source>Between…</source>
        <translation>时间范围…</translation>
    </message>
    <message>
        <source>From</source>
        <translation>开始时间</translation>
    </message>
    <message>
        <source>To</source>
        <translation>结束时间</translation>
    </message>
    <message>
        <source>Words in type, ids or detail</source>
        <translation>类型、ID 或详情中的词</translation>
    </message>
    <message>
        <source>ex_… (any)</source>
        <translation>ex_…（任意）</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>&amp;Search</source>
        <translation>搜索(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;What</source>
        <translation>事件(&amp;W)</translation>
    </message>
    <message>
        <source>E&amp;xecution</source>
        <translation>运行(&amp;X)</translation>
    </message>
    <message>
        <source>&amp;Time</source>
        <translation>时间(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;From</source>
        <translation>从(&amp;F)</translation>
    </message>
    <message>
        <source>t&amp;o</source>
        <translation>至(&amp;O)</translation>
    </message>
</context>
<context>
    <name>belljar::ui::FormField</name>
    <message>
        <source>● modified</source>
        <translation>● 已修改</translation>
    </message>
    <message>
        <source>Differs from the default</source>
        <translation>与默认值不同</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Reset %1 to its default</source>
        <translation>将 %1 重置为默认值</translation>
    </message>
    <message>
        <source>⚠ Weaker than it can be (%1). Runs under this policy say so.</source>
        <translation>⚠ 弱于最严格的设置（%1）。使用此策略的运行会注明这一点。</translation>
    </message>
</context>
<context>
    <name>belljar::ui::Guide</name>
    <message>
        <source>First steps</source>
        <translation>快速入门</translation>
    </message>
    <message>
        <source>Four steps to a program in a sandbox. Each can be left for later.</source>
        <translation>四步即可在沙箱中运行程序，每一步都可以稍后再做。</translation>
    </message>
    <message>
        <source>The image is being built</source>
        <translation>正在构建镜像</translation>
    </message>
    <message>
        <source>Log of the image build</source>
        <translation>镜像构建日志</translation>
    </message>
    <message>
        <source>By hand: put this into its configuration and start it again.</source>
        <translation>手动连接：将以下内容放入客户端的配置，然后重新启动它。</translation>
    </message>
    <message>
        <source>C&amp;opy</source>
        <translation>复制(&amp;O)</translation>
    </message>
    <message>
        <source>Copy the configuration</source>
        <translation>复制配置</translation>
    </message>
    <message>
        <source>%1. %2: %3</source>
        <translation>%1. %2：%3</translation>
    </message>
    <message>
        <source>Belljar&apos;s engine does not run.</source>
        <translation>Belljar 的引擎没有运行。</translation>
    </message>
    <message>
        <source>Looking for Docker…</source>
        <translation>正在查找 Docker…</translation>
    </message>
    <message>
        <source>Docker %1 answers at %2.</source>
        <translation>Docker %1 在 %2 响应。</translation>
    </message>
    <message>
        <source>&amp;Look again</source>
        <translation>重新检查(&amp;L)</translation>
    </message>
    <message>
        <source>It is looked for once Docker answers.</source>
        <translation>Docker 响应后即会检查。</translation>
    </message>
    <message>
        <source>It is being built. This takes a minute or two; the window can be used meanwhile.</source>
        <translation>正在构建，需要一两分钟；其间可以正常使用窗口。</translation>
    </message>
    <message>
        <source>It is there.</source>
        <translation>已就绪。</translation>
    </message>
    <message>
        <source>It is there: %1, %2.</source>
        <translation>已就绪：%1，%2。</translation>
    </message>
    <message>
        <source>It could not be built: %1</source>
        <translation>构建失败：%1</translation>
    </message>
    <message>
        <source>&amp;Build it again</source>
        <translation>重新构建(&amp;B)</translation>
    </message>
    <message>
        <source>Programs run in containers that are made of it. It is built on this machine, which takes a minute or two.</source>
        <translation>程序在由它创建的容器中运行。它在本机构建，需要一两分钟。</translation>
    </message>
    <message>
        <source>&amp;Build it</source>
        <translation>构建(&amp;B)</translation>
    </message>
    <message>
        <source>Belljar can write the entry into the configuration of Claude Desktop, Claude Code, Kiro, Cursor, VS Code and others, and shows what changes before it does.</source>
        <translation>Belljar 可以将条目写入 Claude Desktop、Claude Code、Kiro、Cursor、VS Code 等客户端的配置，写入前会显示改动。</translation>
    </message>
    <message>
        <source>&amp;Choose a client…</source>
        <translation>选择客户端(&amp;C)…</translation>
    </message>
    <message>
        <source>Connected: %1 (as it calls itself).</source>
        <translation>已连接：%1（自报名称）。</translation>
    </message>
    <message>
        <source>&amp;Choose another…</source>
        <translation>选择其他(&amp;C)…</translation>
    </message>
    <message>
        <source>This needs Docker and the image.</source>
        <translation>需要 Docker 和镜像。</translation>
    </message>
    <message>
        <source>The first ten Fibonacci numbers, computed by a real program in a real sandbox. You see it run.</source>
        <translation>由真实的程序在真实的沙箱中计算前十个斐波那契数，你可以看到它运行。</translation>
    </message>
    <message>
        <source>&amp;Run the example</source>
        <translation>运行示例(&amp;R)</translation>
    </message>
    <message>
        <source>Docker</source>
        <translation>Docker</translation>
    </message>
    <message>
        <source>A sandbox image for Python</source>
        <translation>Python 的沙箱镜像</translation>
    </message>
    <message>
        <source>An AI client</source>
        <translation>AI 客户端</translation>
    </message>
    <message>
        <source>A program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>later</source>
        <translation>稍后</translation>
    </message>
    <message>
        <source>to do</source>
        <translation>待办</translation>
    </message>
    <message>
        <source>in progress</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>problem</source>
        <translation>有问题</translation>
    </message>
</context>
<context>
    <name>belljar::ui::ImageDialog</name>
    <message>
        <source>&amp;Try it and use it</source>
        <translation>试用并采用(&amp;T)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Use another image</source>
        <translation>使用其他镜像</translation>
    </message>
    <message>
        <source>name:tag</source>
        <translation>名称:标签</translation>
    </message>
    <message>
        <source>The image is being tried</source>
        <translation>正在试用镜像</translation>
    </message>
    <message>
        <source>Now:</source>
        <translation>当前：</translation>
    </message>
    <message>
        <source>&amp;Image of Docker:</source>
        <translation>Docker 中的镜像(&amp;I)：</translation>
    </message>
    <message>
        <source>Programs in %1 run in this image instead of Belljar&apos;s own, as locked down as ever. It has to be in Docker already. Before it is used, a sandbox is started in it and a small program has to run. A policy that names an image of its own goes first.</source>
        <translation>%1 程序将在此镜像而非 Belljar 自带的镜像中运行，锁定程度不变。该镜像必须已存在于 Docker 中。采用之前，会用它启动一个沙箱，其中一个小程序必须能够运行。如果策略自行指定了镜像，则以策略为准。</translation>
    </message>
    <message>
        <source>Starting a sandbox in it and running a program…</source>
        <translation>正在用它启动沙箱并运行程序…</translation>
    </message>
    <message>
        <source>It is not used: %1</source>
        <translation>未采用：%1</translation>
    </message>
</context>
<context>
    <name>belljar::ui::ImagesView</name>
    <message>
        <source>Being built</source>
        <translation>正在构建</translation>
    </message>
    <message>
        <source>Chosen</source>
        <translation>已选定</translation>
    </message>
    <message>
        <source>Chosen, missing</source>
        <translation>已选定，但缺失</translation>
    </message>
    <message>
        <source>Not built</source>
        <translation>未构建</translation>
    </message>
    <message>
        <source>Outdated</source>
        <translation>已过时</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>&amp;Remove…</source>
        <translation>删除(&amp;R)…</translation>
    </message>
    <message>
        <source>&amp;Use another image…</source>
        <translation>使用其他镜像(&amp;U)…</translation>
    </message>
    <message>
        <source>Use Belljar&apos;s &amp;own</source>
        <translation>使用 Belljar 自带的镜像(&amp;O)</translation>
    </message>
    <message>
        <source>An image is being built</source>
        <translation>正在构建镜像</translation>
    </message>
    <message>
        <source>Log of the image build</source>
        <translation>镜像构建日志</translation>
    </message>
    <message>
        <source>Sandbox images</source>
        <translation>沙箱镜像</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>镜像</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Made</source>
        <translation>创建时间</translation>
    </message>
    <message>
        <source>In it</source>
        <translation>包含</translation>
    </message>
    <message>
        <source>%1 instead of %2</source>
        <translation>%1（代替 %2）</translation>
    </message>
    <message>
        <source>Re&amp;build</source>
        <translation>重新构建(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Build</source>
        <translation>构建(&amp;B)</translation>
    </message>
    <message>
        <source>Remove an image</source>
        <translation>删除镜像</translation>
    </message>
    <message>
        <source>Remove %1 (%2)?</source>
        <translation>要删除 %1（%2）吗？</translation>
    </message>
    <message>
        <source>%1 Programs in %2 can&apos;t run until it is built again.</source>
        <translation>%1 重新构建之前，%2 程序无法运行。</translation>
    </message>
    <message>
        <source>Building takes a minute or two and may need the network.</source>
        <translation>构建需要一两分钟，可能需要网络。</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>删除(&amp;R)</translation>
    </message>
    <message>
        <source>The image for %1 stays as it is: %2</source>
        <translation>%1 的镜像保持不变：%2</translation>
    </message>
    <message>
        <source>Programs in %1 run in the image shown above from now on.</source>
        <translation>从现在起，%1 程序在上面所示的镜像中运行。</translation>
    </message>
    <message>
        <source>Building the image for %1. This takes a minute or two.</source>
        <translation>正在构建 %1 的镜像，需要一两分钟。</translation>
    </message>
    <message>
        <source>The image for %1 was not built: %2
In a terminal: belljar images build --force %3</source>
        <translation>%1 的镜像未能构建：%2
在终端中：belljar images build --force %3</translation>
    </message>
    <message>
        <source>The image for %1 is ready.</source>
        <translation>%1 的镜像已就绪。</translation>
    </message>
</context>
<context>
    <name>belljar::ui::JsonEditor</name>
    <message>
        <source>Text of the policy</source>
        <translation>策略文本</translation>
    </message>
    <message>
        <source>Find in the text</source>
        <translation>在文本中查找</translation>
    </message>
    <message>
        <source>Find the one before (Shift+Return)</source>
        <translation>查找上一个 (Shift+Return)</translation>
    </message>
    <message>
        <source>Find the next (Return)</source>
        <translation>查找下一个 (Return)</translation>
    </message>
    <message>
        <source>Close (Escape)</source>
        <translation>关闭 (Escape)</translation>
    </message>
    <message>
        <source>typing</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message numerus="yes">
        <source>(F8: %n more)</source>
        <translation>
            <numerusform>（F8：还有 %n 个）</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>belljar::ui::KeysDialog</name>
    <message>
        <source>Allow once</source>
        <translation>允许一次</translation>
    </message>
    <message>
        <source>Allow, and remember</source>
        <translation>允许并记住</translation>
    </message>
    <message>
        <source>Deny</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Edit before running</source>
        <translation>编辑后运行</translation>
    </message>
    <message>
        <source>Decide later</source>
        <translation>稍后决定</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Actions and their keys</source>
        <translation>操作及其快捷键</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>A question that waits</source>
        <translation>等待中的审批请求</translation>
    </message>
    <message>
        <source>Compare two runs</source>
        <translation>比较两次运行</translation>
    </message>
    <message>
        <source>Delete from the history</source>
        <translation>从历史记录中删除</translation>
    </message>
    <message>
        <source>Next error or difference</source>
        <translation>下一处错误或差异</translation>
    </message>
    <message>
        <source>Previous error or difference</source>
        <translation>上一处错误或差异</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
</context>
<context>
    <name>belljar::ui::MainWindow</name>
    <message>
        <source>Belljar</source>
        <translation>Belljar</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Approvals</source>
        <translation>审批</translation>
    </message>
    <message>
        <source>Policies</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Audit</source>
        <translation>审计</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Run a program…</source>
        <translation>运行程序(&amp;R)…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>Stop a&amp;ll</source>
        <translation>全部停止(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Pause all programs</source>
        <translation>暂停所有程序(&amp;P)</translation>
    </message>
    <message>
        <source>Run &amp;again</source>
        <translation>再次运行(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Copy row as text</source>
        <translation>复制行文本(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>查看(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Follow the newest run</source>
        <translation>跟随最新运行(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Runs</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>A&amp;pprovals</source>
        <translation>审批(&amp;P)</translation>
    </message>
    <message>
        <source>Pol&amp;icies</source>
        <translation>策略(&amp;I)</translation>
    </message>
    <message>
        <source>A&amp;udit</source>
        <translation>审计(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Settings</source>
        <translation>设置(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Find</source>
        <translation>查找(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Refresh</source>
        <translation>刷新(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Keys…</source>
        <translation>快捷键(&amp;K)…</translation>
    </message>
    <message numerus="yes">
        <source>Belljar – %n running</source>
        <translation>
            <numerusform>Belljar – %n 个运行中</numerusform>
        </translation>
    </message>
    <message>
        <source>(%1) %2</source>
        <translation>(%1) %2</translation>
    </message>
    <message numerus="yes">
        <source>Belljar: %n waiting for you</source>
        <translation>
            <numerusform>Belljar：%n 个等待你审批</numerusform>
        </translation>
    </message>
    <message>
        <source>Belljar: paused, no program starts</source>
        <translation>Belljar：已暂停，不会启动任何程序</translation>
    </message>
    <message>
        <source>Belljar: the engine does not run</source>
        <translation>Belljar：引擎未运行</translation>
    </message>
    <message>
        <source>Belljar: Docker does not run</source>
        <translation>Belljar：Docker 未运行</translation>
    </message>
    <message numerus="yes">
        <source>Belljar: %n running</source>
        <translation>
            <numerusform>Belljar：%n 个运行中</numerusform>
        </translation>
    </message>
    <message>
        <source>Belljar: nothing runs</source>
        <translation>Belljar：没有程序在运行</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>There are edits that are not saved.</source>
        <translation>有未保存的修改。</translation>
    </message>
    <message>
        <source>Policies or questions were edited, and another language makes the window anew. Later: it speaks the other language when Belljar is started again.</source>
        <translation>策略或审批请求有修改，切换语言会重建窗口。如选择“稍后”，则在下次启动 Belljar 时切换语言。</translation>
    </message>
    <message>
        <source>&amp;Discard the edits</source>
        <translation>放弃修改(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Later</source>
        <translation>稍后(&amp;L)</translation>
    </message>
    <message>
        <source>Belljar goes on in the background</source>
        <translation>Belljar 仍在后台运行</translation>
    </message>
    <message>
        <source>Clients can still run programs. The icon here opens the window and quits.</source>
        <translation>客户端仍可运行程序。可通过此图标打开窗口或退出。</translation>
    </message>
    <message>
        <source>Close Belljar</source>
        <translation>关闭 Belljar</translation>
    </message>
    <message>
        <source>Keep Belljar running without its window?</source>
        <translation>关闭窗口后让 Belljar 继续运行吗？</translation>
    </message>
    <message>
        <source>This desktop has no tray for an icon. In the background clients can still run programs and questions reach you as notifications; starting Belljar again brings the window back.</source>
        <translation>此桌面没有系统托盘，无法显示图标。在后台时，客户端仍可运行程序，审批请求会以通知送达；再次启动 Belljar 即可恢复窗口。</translation>
    </message>
    <message>
        <source>&amp;Remember this</source>
        <translation>记住此选择(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Keep running</source>
        <translation>继续运行(&amp;K)</translation>
    </message>
    <message>
        <source>Quit Belljar</source>
        <translation>退出 Belljar</translation>
    </message>
    <message numerus="yes">
        <source>Quit and stop %n run(s)?</source>
        <translation>
            <numerusform>退出并停止 %n 个正在运行的程序吗？</numerusform>
        </translation>
    </message>
    <message>
        <source>What runs is stopped, and what waits for you is rejected. Their clients are told.</source>
        <translation>正在运行的程序会被停止，等待你审批的程序会被拒绝，并会通知其客户端。</translation>
    </message>
    <message>
        <source>Clients</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>&amp;Clients</source>
        <translation>客户端(&amp;C)</translation>
    </message>
    <message>
        <source>Co&amp;mmands…</source>
        <translation>命令(&amp;M)…</translation>
    </message>
    <message>
        <source>Sandboxes</source>
        <translation>沙箱</translation>
    </message>
    <message>
        <source>&amp;Sandboxes</source>
        <translation>沙箱(&amp;S)</translation>
    </message>
    <message>
        <source>First steps</source>
        <translation>快速入门</translation>
    </message>
    <message>
        <source>&amp;First steps…</source>
        <translation>快速入门(&amp;F)…</translation>
    </message>
</context>
<context>
    <name>belljar::ui::MarksDialog</name>
    <message>
        <source>&amp;Pinned</source>
        <translation>固定(&amp;P)</translation>
    </message>
    <message>
        <source>Marks of this run</source>
        <translation>此运行的标记</translation>
    </message>
    <message>
        <source>Words, by commas</source>
        <translation>多个词用逗号分隔</translation>
    </message>
    <message>
        <source>&amp;Tags</source>
        <translation>标签(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Note</source>
        <translation>备注(&amp;N)</translation>
    </message>
</context>
<context>
    <name>belljar::ui::OutputPanel</name>
    <message>
        <source>Standard output</source>
        <translation>标准输出</translation>
    </message>
    <message>
        <source>Standard error</source>
        <translation>标准错误</translation>
    </message>
    <message>
        <source>stdout</source>
        <translation>stdout</translation>
    </message>
    <message>
        <source>stderr</source>
        <translation>stderr</translation>
    </message>
    <message>
        <source>Find in the output</source>
        <translation>在输出中查找</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>How the two streams are arranged</source>
        <translation>两个流的排列方式</translation>
    </message>
    <message>
        <source>In order</source>
        <translation>按顺序</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>左右并排</translation>
    </message>
    <message>
        <source>Stacked</source>
        <translation>上下排列</translation>
    </message>
    <message>
        <source>Wrap</source>
        <translation>自动换行</translation>
    </message>
    <message>
        <source>Break long lines at the edge of the view</source>
        <translation>在视图边缘折断长行</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>跟随</translation>
    </message>
    <message>
        <source>Stay at the end while output comes (F)</source>
        <translation>有新输出时停留在末尾 (F)</translation>
    </message>
    <message>
        <source>▲ Error</source>
        <translation>▲ 错误</translation>
    </message>
    <message>
        <source>Previous error (Shift+F8)</source>
        <translation>上一个错误 (Shift+F8)</translation>
    </message>
    <message>
        <source>Previous error</source>
        <translation>上一个错误</translation>
    </message>
    <message>
        <source>▼ Error</source>
        <translation>▼ 错误</translation>
    </message>
    <message>
        <source>Next error (F8)</source>
        <translation>下一个错误 (F8)</translation>
    </message>
    <message>
        <source>Next error</source>
        <translation>下一个错误</translation>
    </message>
    <message>
        <source>no errors</source>
        <translation>没有错误</translation>
    </message>
</context>
<context>
    <name>belljar::ui::OutputView</name>
    <message>
        <source>… %1 bytes not kept …</source>
        <translation>… %1 字节未保留 …</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
</context>
<context>
    <name>belljar::ui::PoliciesScreen</name>
    <message>
        <source>Waiting for the engine to tell its policies…</source>
        <translation>正在等待引擎提供策略…</translation>
    </message>
    <message>
        <source>Policies</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>New</source>
        <translation>新建</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>创建副本</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>重命名…</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <source>Import a policy</source>
        <translation>导入策略</translation>
    </message>
    <message>
        <source>Policies (*.json)</source>
        <translation>策略 (*.json)</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Export the policy</source>
        <translation>导出策略</translation>
    </message>
    <message>
        <source>Put back</source>
        <translation>还原</translation>
    </message>
    <message>
        <source>Form and text</source>
        <translation>表单与文本</translation>
    </message>
    <message>
        <source>Effect</source>
        <translation>效果</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>What this change is for (optional)</source>
        <translation>此更改的目的（可选）</translation>
    </message>
    <message>
        <source>Note for this version</source>
        <translation>此版本的备注</translation>
    </message>
    <message>
        <source>Discard draft</source>
        <translation>放弃草稿</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Ctrl+S</source>
        <translation>Ctrl+S</translation>
    </message>
    <message>
        <source>That didn&apos;t work: %1</source>
        <translation>操作失败：%1</translation>
    </message>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>not saved</source>
        <translation>未保存</translation>
    </message>
    <message>
        <source>● edited</source>
        <translation>● 已编辑</translation>
    </message>
    <message>
        <source>⚠ waits for you</source>
        <translation>⚠ 等待你确认</translation>
    </message>
    <message>
        <source>⚠ file broken</source>
        <translation>⚠ 文件有误</translation>
    </message>
    <message>
        <source>for %1</source>
        <translation>用于 %1</translation>
    </message>
    <message>
        <source>Who gets which</source>
        <translation>策略分配</translation>
    </message>
    <message>
        <source>⚠ needs you</source>
        <translation>⚠ 需要你处理</translation>
    </message>
    <message>
        <source>The file was changed so that it allows more; it waits for you, and version %1 stays in force:</source>
        <translation>文件已被更改，放宽了限制；该更改等待你确认，版本 %1 继续生效：</translation>
    </message>
    <message>
        <source>The file is broken in line %1, column %2: %3. Version %4 stays in force.</source>
        <translation>文件第 %1 行第 %2 列有误：%3。版本 %4 继续生效。</translation>
    </message>
    <message>
        <source>The file of the assignments was changed so that it allows more; it waits for you:</source>
        <translation>策略分配文件已被更改，放宽了限制；该更改等待你确认：</translation>
    </message>
    <message>
        <source>The file of the assignments is broken: %1. The last good one stays in force.</source>
        <translation>策略分配文件有误：%1。上一个有效版本继续生效。</translation>
    </message>
    <message>
        <source>✕ Not readable</source>
        <translation>✕ 无法读取</translation>
    </message>
    <message>
        <source>✕ Has errors (F8)</source>
        <translation>✕ 有错误 (F8)</translation>
    </message>
    <message>
        <source>● Not saved yet</source>
        <translation>● 尚未保存</translation>
    </message>
    <message>
        <source>● Only the layout differs from what is in force</source>
        <translation>● 与生效版本仅格式不同</translation>
    </message>
    <message numerus="yes">
        <source>● %n value(s) differ from what is in force</source>
        <translation>
            <numerusform>● %n 个值与生效版本不同</numerusform>
        </translation>
    </message>
    <message>
        <source>✓ In force, version %1</source>
        <translation>✓ 已生效，版本 %1</translation>
    </message>
    <message>
        <source>It has errors; F8 goes to the next.</source>
        <translation>有错误；按 F8 转到下一个。</translation>
    </message>
    <message>
        <source>Save &quot;%1&quot;?</source>
        <translation>保存“%1”？</translation>
    </message>
    <message>
        <source>Allow more and save</source>
        <translation>放宽并保存</translation>
    </message>
    <message>
        <source>This allows more than before:</source>
        <translation>此更改会放宽限制：</translation>
    </message>
    <message>
        <source>Loosens: %1</source>
        <translation>放宽：%1</translation>
    </message>
    <message>
        <source>Go back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>discard of the draft</source>
        <translation>放弃草稿</translation>
    </message>
    <message>
        <source>%1 (copy)</source>
        <translation>%1（副本）</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>New name (letters, digits and -):</source>
        <translation>新名称（字母、数字和 -）：</translation>
    </message>
    <message>
        <source>There is a policy of that name already.</source>
        <translation>已有同名策略。</translation>
    </message>
    <message>
        <source>renamed from %1</source>
        <translation>由 %1 重命名</translation>
    </message>
    <message>
        <source>Delete &quot;%1&quot;?</source>
        <translation>删除“%1”？</translation>
    </message>
    <message>
        <source>Delete the policy &quot;%1&quot;?</source>
        <translation>删除策略“%1”？</translation>
    </message>
    <message>
        <source>Whoever has this policy gets the default one.</source>
        <translation>使用此策略的客户端将改用默认策略。</translation>
    </message>
    <message>
        <source>Its versions stay in the history.</source>
        <translation>其各版本仍保留在历史记录中。</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Restore version %1?</source>
        <translation>恢复版本 %1？</translation>
    </message>
    <message>
        <source>Allow more and restore</source>
        <translation>放宽并恢复</translation>
    </message>
    <message>
        <source>%1 can&apos;t be read: %2</source>
        <translation>无法读取 %1：%2</translation>
    </message>
    <message>
        <source>%1 is no policy: it is too large, or no UTF-8 text</source>
        <translation>%1 不是策略：文件过大，或不是 UTF-8 文本</translation>
    </message>
    <message>
        <source>%1 can&apos;t be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>Confirm…</source>
        <translation>确认…</translation>
    </message>
    <message>
        <source>Start from a preset…</source>
        <translation>从预设开始…</translation>
    </message>
    <message>
        <source>The text of this policy is broken; mend it before a rule can be added.</source>
        <translation>此策略的文本有误；修正后才能添加规则。</translation>
    </message>
    <message numerus="yes">
        <source>The rule &quot;%1&quot; is a draft, not saved yet. Of the last %n execution(s): </source>
        <translation>
            <numerusform>规则“%1”是草稿，尚未保存。最近 %n 次运行中：</numerusform>
        </translation>
    </message>
    <message>
        <source>The presets can&apos;t be read: %1</source>
        <translation>无法读取预设：%1</translation>
    </message>
    <message>
        <source>start from %1</source>
        <translation>从 %1 开始</translation>
    </message>
    <message>
        <source>Assign these policies?</source>
        <translation>要这样分配策略吗？</translation>
    </message>
    <message>
        <source>Allow more and assign</source>
        <translation>放宽并分配</translation>
    </message>
    <message>
        <source>Take the changed file into force?</source>
        <translation>要让更改后的文件生效吗？</translation>
    </message>
    <message>
        <source>Allow more</source>
        <translation>放宽</translation>
    </message>
</context>
<context>
    <name>belljar::ui::PolicyDocument</name>
    <message>
        <source>take over what is in force</source>
        <translation>采用生效版本</translation>
    </message>
    <message>
        <source>change of %1</source>
        <translation>更改 %1</translation>
    </message>
    <message>
        <source>removal of %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>addition to %1</source>
        <translation>添加到 %1</translation>
    </message>
    <message>
        <source>move in %1</source>
        <translation>在 %1 中移动</translation>
    </message>
</context>
<context>
    <name>belljar::ui::PolicyForm</name>
    <message>
        <source>No field matches.</source>
        <translation>没有匹配的字段。</translation>
    </message>
    <message>
        <source>Search fields</source>
        <translation>搜索字段</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Fix line %1 first: %2. The form shows what was last readable.</source>
        <translation>请先修正第 %1 行：%2。表单显示的是上次可读取的内容。</translation>
    </message>
    <message>
        <source>approval rules</source>
        <translation>审批规则</translation>
    </message>
</context>
<context>
    <name>belljar::ui::PoolBar</name>
    <message>
        <source>%1 warm, %2 busy</source>
        <translation>已预热 %1，忙碌 %2</translation>
    </message>
    <message>
        <source>%1, %2 starting</source>
        <translation>%1，正在启动 %2</translation>
    </message>
    <message>
        <source>Warm sandboxes for %1</source>
        <translation>%1 的预热沙箱数</translation>
    </message>
</context>
<context>
    <name>belljar::ui::PresetDialog</name>
    <message>
        <source>&amp;Replace the draft</source>
        <translation>替换草稿(&amp;R)</translation>
    </message>
    <message>
        <source>Start from a preset</source>
        <translation>从预设开始</translation>
    </message>
    <message>
        <source>&amp;Preset:</source>
        <translation>预设(&amp;P)：</translation>
    </message>
    <message>
        <source>Your draft</source>
        <translation>你的草稿</translation>
    </message>
    <message>
        <source>The preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>&amp;Keep my draft</source>
        <translation>保留我的草稿(&amp;K)</translation>
    </message>
    <message>
        <source>Nothing is saved yet, and Undo brings your draft back. The title stays.</source>
        <translation>尚未保存，撤消即可恢复你的草稿。标题不变。</translation>
    </message>
    <message>
        <source>Loosens: %1</source>
        <translation>放宽：%1</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>以及另外 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>It allows more than what is in force:</source>
        <translation>它比当前生效的策略更宽松：</translation>
    </message>
</context>
<context>
    <name>belljar::ui::QueryLine</name>
    <message>
        <source>%1: there is no such filter. To find it as text, put it in quotes.</source>
        <translation>%1：没有此筛选条件。若要作为文本查找，请加引号。</translation>
    </message>
    <message>
        <source>%1: a value is missing.</source>
        <translation>%1：缺少值。</translation>
    </message>
    <message>
        <source>%1: no such status. Use succeeded, failed, timed_out, waiting, …</source>
        <translation>%1：没有此状态。可用 succeeded、failed、timed_out、waiting…</translation>
    </message>
    <message>
        <source>%1: not a duration. Write &gt;2s, &lt;100ms or &gt;1min.</source>
        <translation>%1：不是时长。请写成 &gt;2s、&lt;100ms 或 &gt;1min。</translation>
    </message>
    <message>
        <source>%1: not an amount of memory. Write &gt;200MB or &lt;1GB.</source>
        <translation>%1：不是内存大小。请写成 &gt;200MB 或 &lt;1GB。</translation>
    </message>
    <message>
        <source>%1: not a time. Write 2026-11-20, today or 2h (ago).</source>
        <translation>%1：不是时间。请写成 2026-11-20、today 或 2h（2 小时前）。</translation>
    </message>
    <message>
        <source>%1: use has:finding or has:note.</source>
        <translation>%1：请使用 has:finding 或 has:note。</translation>
    </message>
    <message>
        <source>%1: use is:pinned or is:asked.</source>
        <translation>%1：请使用 is:pinned 或 is:asked。</translation>
    </message>
    <message>
        <source>%1: use info, low, medium, high or critical.</source>
        <translation>%1：请使用 info、low、medium、high 或 critical。</translation>
    </message>
    <message>
        <source>%1: only words and numbers can be searched for.</source>
        <translation>%1：只能搜索文字和数字。</translation>
    </message>
    <message>
        <source>%1: the quote isn&apos;t closed.</source>
        <translation>%1：引号未闭合。</translation>
    </message>
    <message>
        <source>Filter the runs</source>
        <translation>筛选运行</translation>
    </message>
    <message>
        <source>Words to find in code and output, or filters such as status:failed</source>
        <translation>要在代码和输出中查找的词，或 status:failed 等筛选条件</translation>
    </message>
    <message>
        <source>Find in code and output, or filter: status:failed client:claude memory:&gt;200MB</source>
        <translation>查找代码和输出，或筛选：status:failed client:claude memory:&gt;200MB</translation>
    </message>
    <message>
        <source>Remove this filter</source>
        <translation>移除此筛选条件</translation>
    </message>
    <message>
        <source>Remove the filter %1</source>
        <translation>移除筛选条件 %1</translation>
    </message>
</context>
<context>
    <name>belljar::ui::Rail</name>
    <message>
        <source>Screens</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1  (Ctrl+%2)</source>
        <translation>%1  (Ctrl+%2)</translation>
    </message>
</context>
<context>
    <name>belljar::ui::ResourceGraph</name>
    <message>
        <source>CPU, % of one core</source>
        <translation>CPU（单核 %）</translation>
    </message>
    <message>
        <source>Memory, MB</source>
        <translation>内存（MB）</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>进程数</translation>
    </message>
    <message>
        <source>seconds since the start</source>
        <translation>启动后的秒数</translation>
    </message>
    <message>
        <source>killed at its memory limit</source>
        <translation>因达到内存上限被终止</translation>
    </message>
    <message>
        <source>a process was killed at the memory limit</source>
        <translation>有进程因达到内存上限被终止</translation>
    </message>
    <message>
        <source>time limit reached</source>
        <translation>已达时间上限</translation>
    </message>
    <message>
        <source>Resource graph, no samples yet</source>
        <translation>资源图，尚无采样</translation>
    </message>
    <message>
        <source>Resource graph: CPU up to %1 %, memory %2 of %3 MB, %4 processes after %5 seconds</source>
        <translation>资源图：CPU 最高 %1%，内存 %2 / %3 MB，%4 个进程，历时 %5 秒</translation>
    </message>
    <message>
        <source>Disk, KB/s (line: read, dashes: written)</source>
        <translation>磁盘，KB/s（实线：读取，虚线：写入）</translation>
    </message>
    <message>
        <source>Output, KB/s</source>
        <translation>输出，KB/s</translation>
    </message>
    <message>
        <source>Show less time (+)</source>
        <translation>缩小时间范围 (+)</translation>
    </message>
    <message>
        <source>Show more time (-)</source>
        <translation>扩大时间范围 (-)</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Show all the time (0)</source>
        <translation>显示全部时间 (0)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>As a picture (PNG)…</source>
        <translation>导出为图片 (PNG)…</translation>
    </message>
    <message>
        <source>Export the graph</source>
        <translation>导出图表</translation>
    </message>
    <message>
        <source>As a table (CSV)…</source>
        <translation>导出为表格 (CSV)…</translation>
    </message>
    <message>
        <source>Export the samples</source>
        <translation>导出采样数据</translation>
    </message>
    <message>
        <source>Written to %1</source>
        <translation>已写入 %1</translation>
    </message>
    <message>
        <source>%1 can&apos;t be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>%1: not recorded</source>
        <translation>%1：未记录</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>CPU %1 %</source>
        <translation>CPU %1%</translation>
    </message>
    <message>
        <source>memory %1 of %2 MB</source>
        <translation>内存 %1 / %2 MB</translation>
    </message>
    <message>
        <source>processes: %1</source>
        <translation>进程数：%1</translation>
    </message>
    <message>
        <source>disk read %1, written %2 KB/s</source>
        <translation>磁盘读取 %1，写入 %2 KB/s</translation>
    </message>
    <message>
        <source>output %1 KB/s</source>
        <translation>输出 %1 KB/s</translation>
    </message>
    <message>
        <source>At %1 s: %2</source>
        <extracomment>a moment in seconds since the start, and what was measured there</extracomment>
        <translation>第 %1 秒：%2</translation>
    </message>
</context>
<context>
    <name>belljar::ui::RowPane</name>
    <message>
        <source>&amp;Open execution</source>
        <translation>打开运行(&amp;O)</translation>
    </message>
    <message>
        <source>Hash of the row before</source>
        <translation>前一条记录的哈希</translation>
    </message>
    <message>
        <source>Hash</source>
        <translation>哈希</translation>
    </message>
    <message>
        <source>Detail</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Execution</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>Row before</source>
        <translation>前一条记录</translation>
    </message>
    <message>
        <source>Pick a row to see all of it.</source>
        <translation>选择一条记录以查看其全部内容。</translation>
    </message>
    <message>
        <source>Row %1: %2</source>
        <translation>第 %1 条：%2</translation>
    </message>
    <message>
        <source>… (%1 bytes are not shown; an export has all of them)</source>
        <translation>…（%1 字节未显示；导出文件包含全部内容）</translation>
    </message>
</context>
<context>
    <name>belljar::ui::RulesModel</name>
    <message>
        <source>always</source>
        <translation>始终</translation>
    </message>
    <message>
        <source>never reached: rule %1 covers it</source>
        <translation>永不生效：已被规则 %1 覆盖</translation>
    </message>
    <message>
        <source>otherwise</source>
        <translation>其他情况</translation>
    </message>
    <message>
        <source>when no rule matches</source>
        <translation>没有匹配的规则时</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>When</source>
        <translation>条件</translation>
    </message>
    <message>
        <source>Then</source>
        <translation>处理</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
</context>
<context>
    <name>belljar::ui::RulesTable</name>
    <message>
        <source>Approval rules, in order</source>
        <translation>审批规则（按顺序）</translation>
    </message>
    <message>
        <source>Add rule</source>
        <translation>添加规则</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>创建副本</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Alt+Up</source>
        <translation>Alt+Up</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Alt+Down</source>
        <translation>Alt+Down</translation>
    </message>
    <message>
        <source>It applies when everything that is given here holds; nothing given always holds.</source>
        <translation>此处给出的条件全部满足时适用；未给出条件则始终适用。</translation>
    </message>
    <message>
        <source>rule %1</source>
        <translation>规则 %1</translation>
    </message>
    <message>
        <source>%1 (copy)</source>
        <translation>%1（副本）</translation>
    </message>
</context>
<context>
    <name>belljar::ui::RunActions</name>
    <message>
        <source>Exported</source>
        <translation>已导出</translation>
    </message>
    <message>
        <source>The runs are in %1.</source>
        <translation>运行记录已导出到 %1。</translation>
    </message>
    <message>
        <source>Not exported</source>
        <translation>未导出</translation>
    </message>
    <message>
        <source>Run &amp;again</source>
        <translation>再次运行(&amp;A)</translation>
    </message>
    <message>
        <source>Run again, &amp;edited…</source>
        <translation>编辑后再次运行(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Pin or unpin</source>
        <translation>固定或取消固定(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Tags and note…</source>
        <translation>标签与备注(&amp;T)…</translation>
    </message>
    <message>
        <source>&amp;Compare the two</source>
        <translation>比较这两次运行(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Versions of this program…</source>
        <translation>此程序的各版本(&amp;V)…</translation>
    </message>
    <message>
        <source>Show the runs of this &amp;session</source>
        <translation>显示此会话的运行(&amp;H)</translation>
    </message>
    <message>
        <source>Show the runs of the same c&amp;ode</source>
        <translation>显示相同代码的运行(&amp;O)</translation>
    </message>
    <message>
        <source>E&amp;xport</source>
        <translation>导出(&amp;X)</translation>
    </message>
    <message>
        <source>As &amp;JSON…</source>
        <translation>导出为 JSON(&amp;J)…</translation>
    </message>
    <message>
        <source>As &amp;Markdown…</source>
        <translation>导出为 Markdown(&amp;M)…</translation>
    </message>
    <message>
        <source>As &amp;folders to run again…</source>
        <translation>导出为可再次运行的文件夹(&amp;F)…</translation>
    </message>
    <message>
        <source>&amp;Delete…</source>
        <translation>删除(&amp;D)…</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Select two runs to compare them.</source>
        <translation>请选择两次运行进行比较。</translation>
    </message>
    <message>
        <source>Delete runs</source>
        <translation>删除运行</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n run(s) from the history?</source>
        <translation>
            <numerusform>从历史记录中删除 %n 次运行吗？</numerusform>
        </translation>
    </message>
    <message>
        <source>Code, output and marks go. The audit log keeps that they ran, and that they were deleted.</source>
        <translation>代码、输出和标记将被删除。审计日志仍会保留这些运行及其删除的记录。</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>删除(&amp;D)</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) deleted</source>
        <translation>
            <numerusform>已删除 %n 次运行</numerusform>
        </translation>
    </message>
    <message>
        <source>Export runs</source>
        <translation>导出运行</translation>
    </message>
    <message>
        <source>The history can&apos;t be read</source>
        <translation>无法读取历史记录</translation>
    </message>
    <message>
        <source>The history was not changed</source>
        <translation>历史记录未更改</translation>
    </message>
    <message>
        <source>Make a r&amp;ule from this…</source>
        <translation>据此创建规则(&amp;U)…</translation>
    </message>
</context>
<context>
    <name>belljar::ui::RunDialog</name>
    <message>
        <source>&amp;Run in a sandbox</source>
        <translation>在沙箱中运行(&amp;R)</translation>
    </message>
    <message>
        <source>Run a program</source>
        <translation>运行程序</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
</context>
<context>
    <name>belljar::ui::RunsModel</name>
    <message>
        <source>Pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <source>Policy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Remembered answer</source>
        <translation>已记住的决定</translation>
    </message>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>Client&apos;s person</source>
        <translation>客户端用户</translation>
    </message>
    <message>
        <source>Nobody in time</source>
        <translation>超时未答复</translation>
    </message>
    <message>
        <source>Belljar</source>
        <translation>Belljar</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <extracomment>number of findings, the worst severity</extracomment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>耗时</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>内存峰值</translation>
    </message>
    <message>
        <source>Exit</source>
        <translation>退出码</translation>
    </message>
    <message>
        <source>Marks</source>
        <translation>标记</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行数</translation>
    </message>
    <message>
        <source>Decided by</source>
        <translation>决定者</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>发现项</translation>
    </message>
    <message>
        <source>CPU time</source>
        <translation>CPU 时间</translation>
    </message>
    <message>
        <source>Queued</source>
        <translation>排队时间</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1:%2 min</source>
        <translation>%1:%2 min</translation>
    </message>
    <message>
        <source>%1 MB</source>
        <translation>%1 MB</translation>
    </message>
    <message>
        <source>(unnamed)</source>
        <translation>（未命名）</translation>
    </message>
</context>
<context>
    <name>belljar::ui::RunsScreen</name>
    <message>
        <source>Group the runs</source>
        <translation>对运行分组</translation>
    </message>
    <message>
        <source>Every run</source>
        <translation>所有运行</translation>
    </message>
    <message>
        <source>By session</source>
        <translation>按会话</translation>
    </message>
    <message>
        <source>By identical code</source>
        <translation>按相同代码</translation>
    </message>
</context>
<context>
    <name>belljar::ui::RunsView</name>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Loading the history…</source>
        <translation>正在加载历史记录…</translation>
    </message>
    <message numerus="yes">
        <source>Held, %n new – Space lets them in</source>
        <translation>
            <numerusform>已暂停更新，%n 次新运行 – 按空格键显示</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n new run(s) – show and follow</source>
        <translation>
            <numerusform>%n 次新运行 – 显示并跟随</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Clear the filters</source>
        <translation>清除筛选(&amp;C)</translation>
    </message>
    <message>
        <source>No run matches</source>
        <translation>没有匹配的运行</translation>
    </message>
    <message>
        <source>&amp;Try again</source>
        <translation>重试(&amp;T)</translation>
    </message>
    <message>
        <source>The history can&apos;t be read</source>
        <translation>无法读取历史记录</translation>
    </message>
</context>
<context>
    <name>belljar::ui::SandboxesModel</name>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分钟</translation>
    </message>
    <message>
        <source>%1 of %2 %</source>
        <translation>%1 / %2 %</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Age</source>
        <translation>存在时间</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>镜像</translation>
    </message>
    <message>
        <source>Container</source>
        <translation>容器</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>belljar::ui::SandboxesScreen</name>
    <message>
        <source>&amp;End the sandbox</source>
        <translation>结束沙箱(&amp;E)</translation>
    </message>
    <message>
        <source>Show the &amp;program</source>
        <translation>查看程序(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Look again</source>
        <translation>重新查找(&amp;L)</translation>
    </message>
    <message>
        <source>Looking for Docker…</source>
        <translation>正在查找 Docker…</translation>
    </message>
    <message>
        <source>No sandbox is there now: the next program takes a moment longer to start.</source>
        <translation>目前没有沙箱：下一个程序的启动会稍慢一些。</translation>
    </message>
    <message>
        <source>Kept warm, for programs to start at once</source>
        <translation>保持预热，使程序立即启动</translation>
    </message>
    <message>
        <source>From the first program of a language on; from Belljar&apos;s start once you have set the number. 0: none.</source>
        <translation>从该语言的第一个程序开始；设定数量后则从 Belljar 启动时开始。0：不预热。</translation>
    </message>
    <message>
        <source>Sandboxes</source>
        <translation>沙箱</translation>
    </message>
    <message>
        <source>Images that programs run in</source>
        <translation>程序所用的镜像</translation>
    </message>
    <message>
        <source>There are no sandboxes without Docker.</source>
        <translation>没有 Docker 就没有沙箱。</translation>
    </message>
    <message>
        <source>Belljar&apos;s engine does not run, so there are no sandboxes.
%1</source>
        <translation>Belljar 的引擎未运行，因此没有沙箱。
%1</translation>
    </message>
    <message>
        <source>What was chosen here is not in force, since its file can&apos;t be read: %1</source>
        <translation>此处的选择未生效，因为无法读取其文件：%1</translation>
    </message>
    <message>
        <source>Not done: %1</source>
        <translation>未完成：%1</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>关闭(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;End the sandbox and its program</source>
        <translation>结束沙箱及其程序(&amp;E)</translation>
    </message>
</context>
<context>
    <name>belljar::ui::SavedFilters</name>
    <message>
        <source>Saved filters</source>
        <translation>已保存的筛选</translation>
    </message>
    <message>
        <source>No filter is saved yet</source>
        <translation>还没有保存的筛选</translation>
    </message>
    <message>
        <source>&amp;Forget this filter</source>
        <translation>删除此筛选(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Save this filter</source>
        <translation>保存此筛选(&amp;S)</translation>
    </message>
</context>
<context>
    <name>belljar::ui::SettingRows</name>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Back to the default</source>
        <translation>恢复默认值</translation>
    </message>
    <message>
        <source>%1: back to the default</source>
        <translation>%1：恢复默认值</translation>
    </message>
</context>
<context>
    <name>belljar::ui::Settings</name>
    <message>
        <source>not set</source>
        <translation>未设置</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1 bytes (%2)</source>
        <translation>%1 字节（%2）</translation>
    </message>
    <message>
        <source>%1 of a core</source>
        <translation>%1 个核心</translation>
    </message>
    <message>
        <source>the profile that was sent, %1 bytes, SHA-256 %2</source>
        <translation>发送的配置文件，%1 字节，SHA-256 %2</translation>
    </message>
    <message>
        <source>Docker&apos;s own profile (none was sent)</source>
        <translation>Docker 自带的配置文件（未发送）</translation>
    </message>
    <message>
        <source>, read-only</source>
        <translation>，只读</translation>
    </message>
    <message>
        <source>, writable</source>
        <translation>，可写</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>镜像</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Network disabled</source>
        <translation>网络已禁用</translation>
    </message>
    <message>
        <source>User</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>Privileged</source>
        <translation>特权模式</translation>
    </message>
    <message>
        <source>Capabilities dropped</source>
        <translation>移除的 capability</translation>
    </message>
    <message>
        <source>Capabilities added</source>
        <translation>添加的 capability</translation>
    </message>
    <message>
        <source>System call filter</source>
        <translation>系统调用过滤器</translation>
    </message>
    <message>
        <source>Security options</source>
        <translation>安全选项</translation>
    </message>
    <message>
        <source>Read-only root</source>
        <translation>根文件系统只读</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Memory and swap together</source>
        <translation>内存与交换空间合计</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>进程数</translation>
    </message>
    <message>
        <source>Limits per process (soft/hard)</source>
        <translation>每个进程的限制（软/硬）</translation>
    </message>
    <message>
        <source>Folders in memory</source>
        <translation>内存中的文件夹</translation>
    </message>
    <message>
        <source>Mounts</source>
        <translation>挂载</translation>
    </message>
    <message>
        <source>IPC</source>
        <translation>IPC</translation>
    </message>
    <message>
        <source>Cgroup namespace</source>
        <translation>Cgroup 命名空间</translation>
    </message>
    <message>
        <source>Runtime</source>
        <translation>运行时</translation>
    </message>
    <message>
        <source>Entry point</source>
        <translation>入口点</translation>
    </message>
    <message>
        <source>Working folder</source>
        <translation>工作文件夹</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境变量</translation>
    </message>
    <message>
        <source>Logs of Docker</source>
        <translation>Docker 日志</translation>
    </message>
    <message>
        <source>Removed at its end</source>
        <translation>结束时移除</translation>
    </message>
    <message>
        <source>Container</source>
        <translation>容器</translation>
    </message>
</context>
<context>
    <name>belljar::ui::SettingsScreen</name>
    <message>
        <source>No setting has these words.</source>
        <translation>没有匹配的设置。</translation>
    </message>
    <message>
        <source>Find a setting</source>
        <translation>查找设置</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Of the window; code and output stay as they are.</source>
        <translation>窗口界面的语言；代码和输出保持原样。</translation>
    </message>
    <message>
        <source>As the desktop</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Light, dark, or as the desktop is, also when that changes.</source>
        <translation>浅色、深色或跟随系统；系统外观改变时也随之切换。</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>When the window is closed</source>
        <translation>关闭窗口时</translation>
    </message>
    <message>
        <source>In the background clients can still run programs, and questions reach you as notifications.</source>
        <translation>在后台时，客户端仍可运行程序，审批请求会以通知送达。</translation>
    </message>
    <message>
        <source>Background where there is a tray, else ask</source>
        <translation>有系统托盘时转入后台，否则询问</translation>
    </message>
    <message>
        <source>Keep running in the background</source>
        <translation>在后台继续运行</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Approvals</source>
        <translation>审批</translation>
    </message>
    <message>
        <source>Notify when a program waits for you</source>
        <translation>有程序等待你审批时通知</translation>
    </message>
    <message>
        <source>By the desktop&apos;s notifications, which can show the question or deny it, and never allow.</source>
        <translation>使用桌面通知；可在通知中查看或拒绝审批请求，但不能允许。</translation>
    </message>
    <message>
        <source>%1 was not written: %2</source>
        <translation>未能写入 %1：%2</translation>
    </message>
    <message>
        <source>Start when you log in</source>
        <translation>登录时启动</translation>
    </message>
    <message>
        <source>In the background, so that clients find Belljar.</source>
        <translation>在后台启动，以便客户端找到 Belljar。</translation>
    </message>
</context>
<context>
    <name>belljar::ui::SettingsView</name>
    <message>
        <source>This run never got a container.</source>
        <translation>此次运行没有得到容器。</translation>
    </message>
    <message>
        <source>No container yet.</source>
        <translation>还没有容器。</translation>
    </message>
    <message>
        <source>The settings of this run&apos;s container were not recorded.</source>
        <translation>此次运行的容器设置没有记录。</translation>
    </message>
    <message>
        <source>The settings can&apos;t be read from the history yet.</source>
        <translation>暂时无法从历史记录中读取设置。</translation>
    </message>
    <message>
        <source>Copy as &amp;JSON</source>
        <translation>复制为 JSON(&amp;J)</translation>
    </message>
    <message>
        <source>Settings of the container</source>
        <translation>容器的设置</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>As sent to Docker</source>
        <translation>发送给 Docker 的值</translation>
    </message>
    <message>
        <source>The request as Docker got it, byte for byte</source>
        <translation>Docker 收到的请求，逐字节一致</translation>
    </message>
    <message>
        <source>What was recorded is not a request that Belljar understands.</source>
        <translation>记录的内容不是 Belljar 能理解的请求。</translation>
    </message>
</context>
<context>
    <name>belljar::ui::StatusLine</name>
    <message>
        <source>Docker: looking</source>
        <translation>Docker：正在检测</translation>
    </message>
    <message>
        <source>Docker: %1</source>
        <translation>Docker：%1</translation>
    </message>
    <message>
        <source>Docker: not running</source>
        <translation>Docker：未运行</translation>
    </message>
    <message numerus="yes">
        <source>%n client(s)</source>
        <translation>
            <numerusform>%n 个客户端</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Engine: stopped</source>
        <translation>引擎：已停止</translation>
    </message>
    <message>
        <source>Engine: running</source>
        <translation>引擎：运行中</translation>
    </message>
    <message>
        <source>%1 running, %2 waiting</source>
        <translation>%1 个运行中，%2 个等待中</translation>
    </message>
</context>
<context>
    <name>belljar::ui::Timeline</name>
    <message>
        <source>Decided</source>
        <translation>已作出决定</translation>
    </message>
    <message>
        <source>Rejected</source>
        <translation>已拒绝</translation>
    </message>
    <message>
        <source>Approved</source>
        <translation>已批准</translation>
    </message>
    <message>
        <source>waiting for an answer</source>
        <translation>等待答复</translation>
    </message>
    <message>
        <source>by: %1</source>
        <translation>决定者：%1</translation>
    </message>
    <message>
        <source>; policy %1</source>
        <translation>；策略 %1</translation>
    </message>
    <message>
        <source>; the question waited %1</source>
        <translation>；审批等待了 %1</translation>
    </message>
    <message>
        <source>exit code %1</source>
        <translation>退出码 %1</translation>
    </message>
    <message>
        <source>never</source>
        <translation>从未</translation>
    </message>
    <message>
        <source>not recorded</source>
        <translation>未记录</translation>
    </message>
    <message>
        <source>+%1</source>
        <translation>+%1</translation>
    </message>
    <message>
        <source>is next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>later</source>
        <translation>稍后</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Received</source>
        <translation>已接收</translation>
    </message>
    <message>
        <source>Analysed</source>
        <translation>已分析</translation>
    </message>
    <message>
        <source>Queued</source>
        <translation>已排队</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>已开始</translation>
    </message>
    <message>
        <source>First output</source>
        <translation>首次输出</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>已结束</translation>
    </message>
</context>
<context>
    <name>belljar::ui::TimelineStrip</name>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Timeline: %1</source>
        <translation>时间线：%1</translation>
    </message>
</context>
<context>
    <name>belljar::ui::Tray</name>
    <message>
        <source>&amp;Open Belljar</source>
        <translation>打开 Belljar(&amp;O)</translation>
    </message>
    <message>
        <source>Open &amp;approvals</source>
        <translation>打开审批(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Pause all programs</source>
        <translation>暂停所有程序(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message numerus="yes">
        <source>Open &amp;approvals (%n waiting)</source>
        <translation>
            <numerusform>打开审批（%n 个等待中）(&amp;A)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>belljar::ui::UndoStrip</name>
    <message>
        <source>&amp;Undo</source>
        <translation>撤消(&amp;U)</translation>
    </message>
</context>
<context>
    <name>belljar::ui::UnitField</name>
    <message>
        <source>%1, slider</source>
        <translation>%1，滑块</translation>
    </message>
    <message>
        <source>Write it like %1.</source>
        <translation>请写成 %1 的形式。</translation>
    </message>
    <message>
        <source>Use %1 to %2.</source>
        <translation>请使用 %1 到 %2 之间的值。</translation>
    </message>
</context>
<context>
    <name>belljar::ui::VersionsDialog</name>
    <message>
        <source>Versions of this program</source>
        <translation>此程序的各版本</translation>
    </message>
    <message>
        <source>Versions, oldest first</source>
        <translation>版本（从旧到新）</translation>
    </message>
    <message>
        <source>Version %1</source>
        <translation>版本 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 次运行</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Show this run</source>
        <translation>查看此运行(&amp;S)</translation>
    </message>
    <message>
        <source>There is no version before</source>
        <translation>没有更早的版本</translation>
    </message>
</context>
<context>
    <name>belljar::ui::VersionsView</name>
    <message>
        <source>Restore this version</source>
        <translation>恢复此版本</translation>
    </message>
    <message>
        <source>Versions, newest first</source>
        <translation>版本（从新到旧）</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>保存时间</translation>
    </message>
    <message>
        <source>By</source>
        <translation>保存者</translation>
    </message>
    <message>
        <source>From</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>比较对象</translation>
    </message>
    <message>
        <source>Against the one before</source>
        <translation>与上一版本比较</translation>
    </message>
    <message>
        <source>Against what is in force</source>
        <translation>与生效版本比较</translation>
    </message>
    <message>
        <source>What changed</source>
        <translation>变更内容</translation>
    </message>
    <message>
        <source>The versions can&apos;t be read: %1</source>
        <translation>无法读取版本：%1</translation>
    </message>
    <message>
        <source>Reading the versions…</source>
        <translation>正在读取版本…</translation>
    </message>
    <message>
        <source>%1 (in force)</source>
        <translation>%1（生效中）</translation>
    </message>
    <message>
        <source>No versions yet: the first save makes one.</source>
        <translation>尚无版本：首次保存时创建。</translation>
    </message>
    <message numerus="yes">
        <source>%n version(s)</source>
        <translation>
            <numerusform>%n 个版本</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>main</name>
    <message>
        <source>Watches code that assistants run in sandboxes.</source>
        <translation>监视 AI 助手在沙箱中运行的代码。</translation>
    </message>
    <message>
        <source>Begin without the window; starting again shows it.</source>
        <translation>启动时不显示窗口；再次启动即可显示。</translation>
    </message>
</context>
</TS>
