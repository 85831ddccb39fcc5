/** Texts with IP addresses, one a line; the notation is that of `parse-rows.ts`. */
export const NETWORK_ROWS = String.raw`
[[i:{{v4}}]] - - [12/Feb/2025:06:25:24 +0000] "GET /robots.txt HTTP/1.1" 200 1043
*2 {{ts}} sshd[2817]: Failed password for root from [[i:{{v4}}]] port 51234 ssh2
sshd[991]: Accepted publickey for deploy from [[i:{{v6}}]] port 40022
nginx: client: [[i:{{v4}}]], server: _, request: "POST /login HTTP/2.0", upstream: "http://[[i:{{v4}}]]:8080/"
X-Forwarded-For: [[i:{{v4}}]], [[i:{{v4}}]]
Received: from mail.example.net ([[i:{{v4}}]]) by mx.example.org
Received: from unknown (HELO box) ([[i:{{v4}}]])\n\tby relay3 with SMTP
My router is at [[i:192.168.1.1]] and my laptop got [[i:192.168.1.57]].
inet [[i:192.168.178.23]]/24 brd [[?:192.168.178.255]] scope global dynamic wlan0 is not what I expect, says [[i:192.168.178.40]]
ping localhost works but [[i:{{v4}}]] times out
ssh root@[[i:{{v4}}]]
ssh -p 2222 ubuntu@[[i:{{v4}}]] 'uptime'
http://[[i:{{v4}}]]/admin/login.php
https://[[i:{{v4}}]]:8443/status?x=1
http://[[[i:{{v6}}]]]:8080/index.html
ftp://anonymous@[[i:{{v4}}]]/pub
{"ip":"[[i:{{v4}}]]","country":"NL","asn":1103}
{"client_ip": "[[i:{{v6}}]]", "ua": "curl/8.5.0"}
INSERT INTO sessions VALUES ('abc', '[[i:{{v4}}]]', now());
SELECT * FROM logins WHERE ip = '[[i:{{v4}}]]';
remote_addr=[[i:{{v4}}]] status=403 bytes=512
src=[[i:{{v4}}]] dst=[[i:{{v4}}]] proto=TCP spt=443 dpt=51820
Blocked by fail2ban: [[i:{{v4}}]].
Blocked by fail2ban: [[i:{{v4}}]], [[i:{{v4}}]] and [[i:{{v6}}]].
ip: [[i:{{v4}}]]
IP=[[i:{{v4}}]];port=22
IP-Adresse des Besuchers: [[i:{{v4}}]]
Die Anfrage kam von [[i:{{v4}}]] um 14:02 Uhr.
L'adresse IP [[i:{{v4}}]] a été bloquée.
La dirección IP del cliente es [[i:{{v4}}]].
Indirizzo IP: [[i:{{v4}}]]
O IP dele era [[i:{{v4}}]], segundo o provedor.
IP-adres [[i:{{v4}}]] staat op de zwarte lijst
Adres IP: [[i:{{v4}}]]
IPアドレスは[[i:{{v4}}]]です。
该用户的IP地址是[[i:{{v4}}]]。
عنوان IP هو [[i:{{v4}}]]
आईपी पता [[i:{{v4}}]] ब्लॉक किया गया
IP 주소: [[i:{{v4}}]]
IP-адрес [[i:{{v4}}]] заблокирован
<td>[[i:{{v4}}]]</td><td>DE</td>
| [[i:{{v4}}]] | 443/tcp | open |
host,ip\nweb1,[[i:{{v4}}]]\nweb2,[[i:{{v4}}]]
client [[i:{{v6}}]] disconnected
IPv6: [[i:{{v6full}}]]
Our AAAA record is [[i:{{v6}}]].
dig says [[i:2606:2800:220:1:248:1893:25c8:1946]] for that host
link-local [[i:fe80::{{hex4}}:{{hex4}}:{{hex4}}:{{hex4}}]]%eth0 replied
mapped address [[i:::ffff:{{v4}}]] in the access log
server listen [[[i:{{v6}}]]]:443 ssl;
The printer answers on [[i:10.0.{{oct}}.{{oct}}]]
VPN user 44 got [[i:10.8.0.{{oct}}]] today
docker container has [[i:172.17.0.{{oct}}]]
A whois on [[i:{{v4}}]] gives a residential ISP in Leeds, I think he is home
the attacker ([[i:{{v4}}]]) tried again
"[[i:{{v4}}]]"
[[i:{{v4}}]]
[[i:{{v6}}]]
Last login: Mon Jan 13 10:22:01 2025 from [[i:{{v4}}]]
iptables -A INPUT -s [[i:{{v4}}]] -j DROP
allow [[i:{{v4}}]]; deny all;
ALLOWED_HOSTS = ['[[i:{{v4}}]]', 'localhost']
const host = "[[i:{{v4}}]]";
db: postgres://app:secret@[[i:{{v4}}]]:5432/main
redis-cli -h [[i:{{v4}}]] -p 6379
mysql --host=[[i:{{v4}}]] -u root
Name: vpn.example.org\nAddress: [[i:{{v4}}]]
traceroute: 3  [[i:{{v4}}]] ([[i:{{v4}}]])  12.118 ms
GET /?ip=[[i:{{v4}}]]&k=2 HTTP/1.1
Posted from [[i:{{v4}}]] on 2024-11-05 at 17:45
edit by anonymous user [[i:{{v4}}]] reverted
User with address [[i:{{V6}}]] accepted the terms
peer addr: [[i:{{v6}}]], lladdr 00:1b:44:11:3a:b7
2025/01/09 11:02:13 [error] 29#29: *4 connect() failed, client: [[i:{{v4}}]]
He logged in from [[i:{{v4}}]]; she from [[i:{{v4}}]].
<ip>[[i:{{v4}}]]</ip>
ip_address: "[[i:{{v4}}]]"
- ip: [[i:{{v4}}]]\n  name: nas
Session 88 | [[i:{{v4}}]] | Chrome 121.0.0.0 | Berlin
Firefox 128.0.2 on Windows 10, IP [[i:{{v4}}]], build 10.0.19045.3803
X-Real-IP: [[i:{{v6}}]]
from=[[i:{{v6}}]] to=[[i:{{v6}}]] len=1280
The signer's IP ([[i:{{v4}}]]) is on the certificate of completion.
DNS A [[i:{{v4}}]] TTL 300
IP：[[i:{{v4}}]]，时间：2024-05-01
v1.2 client at [[i:{{v4}}]] upgraded to version 1.3
[[i:{{v4}}]]:[[?:{{d:####}}]] reconnecting
(see [[i:{{v4}}]])
`;
