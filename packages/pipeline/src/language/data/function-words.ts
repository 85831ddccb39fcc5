/** English words that carry grammar rather than subject matter, lower case, apostrophes kept. */
export const FUNCTION_WORDS = `a an the this that these those some any each every either neither no
none all both few many much more most other another such same own i me my mine myself we us our ours
ourselves you your yours yourself yourselves he him his himself she her hers herself it its itself
they them their theirs themselves one ones who whom whose which what whatever whoever whichever
someone anyone everyone somebody anybody everybody nobody something anything everything nothing
there here where when why how while whenever wherever am is are was were be been being do does did
done doing have has had having can could may might must shall should will would ought need dare not
never cannot and or but nor so yet for if unless until till although though because since as than
whether of in on at by to from with without within into onto upon over under above below between
among through during before after about against along across around behind beside besides beyond
down up off out near toward towards via per despite except like unlike then now just also too very
quite rather really only even still already again ever once well however thus therefore hence
moreover furthermore instead otherwise meanwhile perhaps maybe please yes etc i'm i've i'd i'll
you're you've you'd you'll he's he'd he'll she's she'd she'll it's it'd it'll we're we've we'd we'll
they're they've they'd they'll that's there's here's what's who's where's how's let's don't doesn't
didn't isn't aren't wasn't weren't haven't hasn't hadn't can't couldn't won't wouldn't shouldn't
mustn't needn't shan't ain't got get gets getting s t d ll m re ve`;
