/**
 * English words that exclude each other, base forms. Sides of a pair are parted by a slash, pairs by
 * a bar; each word of one side excludes each word of the other.
 */
export const OPPOSITES = `
always/never rarely seldom sometimes | often frequently/rarely seldom | all every everyone
everything/none some few no | many numerous/few | most/least few | more greater/less fewer | much/little
| some/none no | both/neither | either/neither | any/none | with/without | before prior
earlier/after later afterwards | first/last | early/late | begin start commence open launch initiate/end
stop finish cease close terminate conclude halt | increase rise raise grow climb gain expand boost soar
surge up/decrease fall drop lower decline reduce shrink cut plunge slump down diminish | up upward/down
downward | high higher tall/low lower short | large big great huge/small little tiny minor slight | major
primary main/minor secondary | maximum/minimum | long longer/short shorter brief | wide broad/narrow |
thick/thin | deep/shallow | heavy/light | fast quick rapid quickly rapidly/slow slowly gradual gradually |
hot warm/cold cool | wet/dry | clean/dirty | bright light/dark dim | loud noisy/quiet silent | full/empty
vacant | open/closed shut | inside within indoors/outside outdoors | above over/below under beneath |
front ahead/back behind rear | left/right | north northern/south southern | east eastern/west western |
near close/far distant | top/bottom | new recent modern/old ancient | young/old elderly | rich
wealthy/poor | strong powerful/weak feeble | hard difficult tough/easy simple | complex
complicated/simple | good great excellent positive/bad poor terrible negative | better/worse |
best/worst | right correct true accurate/wrong incorrect false inaccurate | true real genuine/false fake
| happy glad/sad unhappy | love like/hate dislike | alive living/dead | life birth/death | born/die |
survive/die perish | healthy/sick ill unhealthy | safe secure/dangerous unsafe risky hazardous | win
victory/lose loss defeat | success succeed successful/fail failure unsuccessful | pass/fail | accept
approve agree adopt/reject refuse decline disagree | allow permit enable authorize legal/forbid ban
prohibit prevent block disallow deny | admit confirm acknowledge/deny refute | support favor favour
back/oppose resist reject | for pro/against anti | include contain/exclude omit lack | add/remove delete
subtract | join/leave quit | enter arrive come/leave depart exit go | give send/take receive | buy
purchase/sell | lend/borrow | import/export | push/pull | find/lose | remember/forget | keep
retain/discard lose drop | create build make/destroy demolish | connect attach join/disconnect detach
separate | enable activate/disable deactivate | install/uninstall remove | lock/unlock | show reveal
display/hide conceal | public/private secret confidential | required mandatory compulsory
necessary/optional voluntary unnecessary | possible/impossible | able can/unable cannot | likely
probable/unlikely improbable | certain sure definite/uncertain unsure doubtful | clear/unclear vague |
same identical equal/different distinct unequal | similar/dissimilar different | common usual
frequent/rare unusual uncommon | normal/abnormal | regular/irregular | legal lawful/illegal unlawful |
guilty/innocent | honest/dishonest | friend ally/enemy foe | war/peace | attack/defend defense defence |
day/night | morning/evening | male man boy/female woman girl | husband/wife | father/mother |
brother/sister | son/daughter | king/queen | he him his/she her | expensive costly/cheap inexpensive free
| profit/loss | active/inactive passive | present/absent | presence/absence | internal/external |
domestic/foreign | local/remote global | temporary/permanent | minimum/maximum | even/odd |
positive/negative | optimistic/pessimistic | advantage benefit/disadvantage drawback | improve
strengthen/worsen weaken deteriorate | useful helpful/useless | effective/ineffective |
efficient/inefficient | visible/invisible | available/unavailable | known/unknown | complete/incomplete |
fair/unfair | kind/cruel | brave/cowardly afraid | polite/rude | careful/careless | busy/idle | wake
awake/sleep asleep | sit/stand | laugh/cry | question ask/answer | teacher/student | buyer/seller |
employer/employee | parent/child | plural/singular | single/multiple several married | only/also |
yes/no | on/off | in/out | automatic automatically/manual manually | sync synchronous/async asynchronous
| client/server | input/output | read/write | upload/download | encourage/discourage | hire/fire dismiss
| praise/criticize condemn blame | oldest/youngest newest | largest biggest/smallest |
highest/lowest | longest/shortest | majority/minority | exceed/below | at least/at most | decrease
fewer/more | forward/backward | ascend/descend | arrival/departure | entrance/exit | freedom/slavery |
rural/urban | city/countryside | ally/rival | victory/defeat | wealth/poverty | strength/weakness |
solid/liquid gas | acid/alkaline | predator/prey | summer/winter | natural/artificial synthetic |
vertical/horizontal | ancient/modern | guest/host | hero/villain | offensive/defensive | plus/minus |
credit/debit | short-term/long-term | inclusive/exclusive | superior/inferior | major/slight |
considerable/little | final ultimate/initial | former/latter current | previous/next following |
past/future | yesterday/tomorrow | annual yearly/monthly weekly daily | paid/unpaid free | online/offline
| manual/automatic | sunny/rainy cloudy | sweet/sour bitter | soft/hard | smooth/rough | sharp/blunt |
tight/loose | straight/curved crooked | vegetarian/meat | exact precise/approximate | direct/indirect |
explicit/implicit | static/dynamic | mutable/immutable | valid/invalid | finite/infinite |
dependent/independent | responsible/irresponsible | mature/immature | patient/impatient | relevant/irrelevant
| consistent/inconsistent | reversible/irreversible | literate/illiterate | voluntary/mandatory
compulsory | must should/may might optional | sufficient enough adequate/insufficient inadequate |
recommend advise/discourage advise-against | recommended/discouraged | approved accepted/denied
rejected refused declined | enabled/disabled | federal national/local | usually normally/never
rarely seldom | might may/will must | gain rise advance/loss fall retreat | welcome
praise applaud endorse/criticise criticize condemn oppose | hire recruit/sack dismiss fire | acquit
clear/convict | convicted/acquitted cleared | guilty/innocent acquitted | arrest detain/release free
| build/demolish destroy | begin/end | open/close shut | opened/closed | postpone delay/advance
bring-forward | cancel/confirm | create/cut destroy | add/cut drop | growth boom/recession decline
slump | surplus/deficit | improve/deteriorate worsen | strengthen/weaken | tighten/loosen ease |
escalate/calm ease | heat warm/cool | freeze/melt thaw | arrive/leave | land/take-off |
ascent/descent | alive/dead | recovered/died | stable/critical unstable | damaged/undamaged intact |
injured hurt/unhurt uninjured unharmed | armed/unarmed | found recovered/lost missing |
solved/unsolved | united/divided | vote-for/against | majority/minority | home/away | won/lost |
winner/loser | ahead/behind | leading/trailing | beat/lost | first/last | rookie/veteran |
amateur/professional | male/female | oldest/youngest | married/divorced single | hot/cold |
drought/flood | sunrise/sunset | dawn/dusk | import/export | supply/demand | employer/worker
employee | landlord/tenant | seller/buyer | doctor nurse/patient | lawyer/client | plaintiff
prosecutor/defendant | defence/prosecution | victim/attacker culprit | host/visitor guest |
teacher/pupil student | parent/child son daughter | upper/lower | rising/falling |
increasing/decreasing declining | growing/shrinking | higher/lower | larger bigger greater/smaller |
faster/slower | cheaper/dearer | stronger/weaker | better/worse | earlier sooner/later |
older/younger newer | longer/shorter | nearer closer/farther further | easier/harder | richer/poorer
| safer/riskier | voluntary/compulsory obligatory | temporary/permanent | partly partially/fully
wholly entirely completely | slightly/sharply greatly considerably heavily | directly/indirectly |
openly publicly/secretly privately | deliberately intentionally/accidentally | deliberate
intentional/accidental unintentional | reversible/irreversible | mild/severe harsh | generous/stingy
| calm/nervous agitated | confident/doubtful unsure | relaxed/tense strict | loose/strict |
lenient/strict harsh | transparent/opaque | mobile/fixed stationary | wireless/wired |
portable/stationary | encrypt/decrypt | compress/expand | zoom-in/zoom-out | attach/detach |
mount/unmount | subscribe/unsubscribe | follow/unfollow | register/deregister | load/unload |
pack/unpack | zip/unzip | link/unlink | bind/unbind | freeze/unfreeze | block/unblock allow |
ascending/descending | uppercase/lowercase | prefix/suffix | header/footer | source/target
destination | sender/recipient receiver | producer/consumer | upstream/downstream | frontend/backend
| push/pop pull | enqueue/dequeue | serialize/deserialize | opt-in/opt-out | inbound
incoming/outbound outgoing | inward/outward | clockwise/counterclockwise | horizontal/vertical |
dry/wet humid | fresh/stale rotten | raw/cooked | ripe/unripe | sharp/dull | tame/wild | urban/rural
| native/foreign | winter/summer | spring/autumn | birth/funeral | create/delete | accept/decline |
agree/disagree | trust/distrust mistrust | obey/disobey | respect/ignore disregard | fasten/unfasten
| save/waste spend | earn/spend | borrow/repay | invade/withdraw | enter/withdraw | expand/contract
shrink | inhale/exhale | attract/repel | gather/scatter | rise/sink | float/sink | unite/split
divide | protect/endanger expose | simplify/complicate | clarify/confuse | speed accelerate/slow
brake decelerate | raise/lower | fill/empty drain | lengthen/shorten | widen/narrow | deepen/flatten
| brighten/darken | reward/punish | blame/forgive | mourn/celebrate | hope/despair fear`;
