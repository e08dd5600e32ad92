import { foldAccents } from '@balcao/contract/text/fold-accents'
import { stemOf } from '#order-text/stem.ts'

/** Roots of Portuguese words: without accent, plural, gender and the usual endings of verbs and nouns. */

const WORD = /[\p{L}\p{N}\p{M}]+/gu
const LETTERS = /^[a-z]+$/
const ROOT_MAX = 40
const STEM_MIN = 3

/** The longest ending comes first. Each needs a stem of three letters. */
const ENDINGS = [
  ...['amento', 'imento', 'adora', 'idade', 'mente', 'encia', 'ancia', 'ariam', 'eriam', 'iriam', 'assem', 'essem'],
  ...['aremo', 'eremo', 'iremo', 'acao', 'icao', 'ucao', 'ador', 'edor', 'idor', 'avel', 'ivel', 'ando', 'endo'],
  ...['indo', 'aram', 'eram', 'iram', 'avam', 'aria', 'eria', 'iria', 'arem', 'erem', 'irem', 'asse', 'esse', 'isse'],
  ...['amo', 'emo', 'imo', 'ado', 'ada', 'ido', 'ida', 'ava', 'ura', 'ar', 'er', 'ir', 'am', 'em', 'ei', 'ou', 'iu'],
] as const

/** The root of a folded word. Words with digits and of other scripts stay as they are. */
export function rootOf(word: string): string {
  if (!LETTERS.test(word)) return word.slice(0, ROOT_MAX)
  const stem = stemOf(word).slice(0, ROOT_MAX)
  const ending = ENDINGS.find((one) => stem.endsWith(one) && stem.length - one.length >= STEM_MIN)
  return withoutVowel(ending === undefined ? stem : stem.slice(0, -ending.length))
}

/** 'entregue' and 'entrega' end alike, as do 'troquei' and 'troca'. */
function withoutVowel(stem: string): string {
  const bare = stem.length > STEM_MIN ? stem.replace(/[aeiou]$/, '') : stem
  return bare.length > STEM_MIN ? bare.replace(/q$/, 'c').replace(/(?<=g)u$|i$/, '') : bare
}

/** Words that are in every text and say nothing about its subject. */
const EMPTY_WORDS = new Set(
  `a o as os um uma uns umas de do da dos das em no na nos nas num numa por pelo pela pelos pelas para pra pro pras pros
  com sem ao aos e ou mas que se ja la ai ali aqui eu tu ele ela eles elas nos voce voces vc vcs me te lhe meu minha meus
  minhas seu sua seus suas nosso nossa isso isto esse essa esses essas este esta estes estas aquele aquela ser sou e sao
  foi era sera seria estar estou estao tava ta to ter tem tenho tinha teria haver ha pode podem posso poderia consigo
  conseguem quero queria querem gostaria saber sei sabe dizer diga fala falar favor pf pfv pfvr obrigado obrigada oi ola
  oie bom boa tarde noite dia ne eh sim nao tbm tambem so mais muito q k p d c n h oq ate entre sobre seja sejam vai vou
  vao vem fazer faz fazem faco feito algum alguma alguns algumas qualquer cada todo toda todos todas qual quais como
  moca moco amigo gente pessoal blz tudo bem fica fico ficam ficar da dar dao deu`
    .split(/\s+/)
    .filter((word) => word !== ''),
)

/** As customers write on the phone. */
const SHORT_FORMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ qto: 'quanto', qnt: 'quanto', qnto: 'quanto', qt: 'quanto', qdo: 'quando', qnd: 'quando', qndo: 'quando' },
    ...{ hr: 'horas', hrs: 'horas', hs: 'horas', fds: 'domingo', hj: 'hoje', pgto: 'pagamento', pag: 'pagamento' },
    ...{
      end: 'endereco',
      tel: 'telefone',
      zap: 'whatsapp',
      wpp: 'whatsapp',
      aceitao: 'aceitam',
      refri: 'refrigerante',
    },
    ...{ nf: 'nota', dog: 'cachorro', doguinho: 'cachorro', niver: 'aniversario', promo: 'promocao', cel: 'telefone' },
    ...{ min: 'minutos', mins: 'minutos', cred: 'credito', deb: 'debito', veg: 'vegano', ap: 'apartamento' },
  }),
)

const PLEASANTRIES = /\b(?:bom dia|boa tarde|boa noite|tudo bem|por favor)\b/g

/** The folded words of a text, in their order. Empty words are left out. */
function wordsOf(text: string): string[] {
  const folded = foldAccents(text).replace(PLEASANTRIES, ' ')
  return [...folded.matchAll(WORD)]
    .map(([word]) => SHORT_FORMS.get(word) ?? word)
    .filter((word) => !EMPTY_WORDS.has(word) && (word.length > 1 || /\d/.test(word)))
}

/** Distinct roots of a text for the index, in the order of their first word. */
export function rootsOf(text: string): readonly string[] {
  return [...new Set([...new Set(wordsOf(text))].map(rootOf))]
}
