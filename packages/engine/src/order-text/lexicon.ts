import type { SimpleOrderAct } from './acts.ts'

/** Words of orders in Portuguese, folded. */

const words = (...lists: readonly string[]): ReadonlySet<string> => new Set(lists.join(' ').split(' '))

const UNITS_OF_TENS = 'vinte trinta quarenta cinquenta sessenta setenta oitenta noventa'
const SMALL =
  'um dois tres quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis dezessete dezoito dezenove'

/** Values of number words. 'zero' is missing, because it names produtos without sugar. */
export const NUMBER_WORDS: ReadonlyMap<string, number> = new Map([
  ...SMALL.split(' ').map((word, at) => [word, at + 1] as const),
  ...UNITS_OF_TENS.split(' ').map((word, at) => [word, (at + 2) * 10] as const),
  ...([
    ['uma', 1],
    ['hum', 1],
    ['outro', 1],
    ['outra', 1],
    ['duas', 2],
    ['treis', 3],
    ['catorze', 14],
    ['cem', 100],
    ['cento', 100],
    ['duzentos', 200],
    ['duzentas', 200],
    ['trezentos', 300],
    ['trezentas', 300],
    ['quinhentos', 500],
    ['quinhentas', 500],
    ['mil', 1000],
  ] as const),
])

/** Units behind a number. With it they are one word, such as `2l`. */
export const MEASURES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ l: 'l', lt: 'l', lts: 'l', litro: 'l', litros: 'l', ml: 'ml', mls: 'ml', mg: 'mg', cm: 'cm' },
    ...{ kg: 'kg', kgs: 'kg', kilo: 'kg', kilos: 'kg', quilo: 'kg', quilos: 'kg', g: 'g', gr: 'g', gramas: 'g' },
  }),
)

/** Words between the words of a name. */
export const LINKS = words('de do da dos das d di com c no na nos nas ao a o os as para pra p e em')

/** Packages and counts. They name no produto without another word. */
export const PACKAGES = words(
  'un und unid unidade unidades caixa caixas cx cxs pacote pacotes pct pcts saco sacos lata latas garrafa garrafas',
  'copo copos fatia fatias pedaco pedacos porcao porcoes par pares cartela cartelas frasco frascos fardo fardos kit kits',
  'comprimido comprimidos vidro vidros pote potes prato pratos saquinho peca pecas',
)

/** Packages of one person. A produto whose name has a measure is no such one. */
export const SERVINGS = words('lata latas latinha latinhas copo copos')

export const HALVES = words('metade meia meio')

/** They start a request and end a question. */
export const ORDER_VERBS = words(
  'quero qro kero quer queria querer manda mandar mande ve veja bota botar poe coloca colocar coloque add adiciona',
  'adicionar adicione acrescenta acrescentar inclui incluir traz trazer traga separa separar separe pega pegar gostaria',
  'preciso precisava prepara anota pedir levo levar comprar encomendar encomenda encomendo entrega entregar reserva desejo solicito',
)

const POLITE = [
  'oi oii oiii ola opa eai hey hello salve bom boa dia tarde noite tudo bem td bao por favor pf pfv pfvr pfr pls plis',
  'favorzinho gentileza obrigado obrigada obg brigado brigada valeu vlw eu me mim vou pode poderia ser ai hoje agora',
  'amigo amiga moco moca viagem mais tambem so',
]

/** Words of an order that says nothing else, beside its verbs, produtos and numbers. */
export const POLITE_WORDS = words(...POLITE)

/** They carry nothing for an order. */
export const FILLERS = words(
  ...POLITE,
  'vc vcs voce voces a o os as de do da dos das d la aqui ja entao tbm tb flor querido querida chefe',
  'patrao parceiro meu minha meus minhas vai ta esta to tou sim ok okay isso mesmo ne kkk kkkk rs rsrs ah eh hm',
  'urgente rapido fazer faz assim podem seria somente apenas uns umas uai tio tia',
  'amanha sabado domingo segunda terca quarta quinta sexta feira semana mes depois antes muito',
  'mesma mesmas mesmos daquele daquela daqueles daquelas nada ninguem aff afe poxa putz nossa eita acho ate logo e no na pra para pro pras pros em que se sao era foi aquele aquela tipo tao tamanho tam tiver como',
  'acabou gente pessoal mano cara bora vamos va deixa fica ficar ver verdade favor dai vao com',
  'numero n opcao produto item porte lanche pedido cardapio catalogo menu coisa pergunta duvida ajuda esse essa desse dessa deste desta este esta',
)

/** Behind a number they are no produto and the number no quantity: 'um pedido'. */
export const NOUNS = words(
  'pedido lanche cardapio catalogo menu ajuda coisa pergunta duvida momento minuto segundo instante',
)

/** Behind them unknown words describe a purpose and no produto. */
export const TAIL_WORDS = words('pra para pro pras pros no na em ate que se porque pq as quando mas')

/** Pronouns of the produto that the bot showed last. */
export const PRONOUNS = words('esse essa desse dessa este deste desta disso')

/** They start an observation of the item before. */
export const NOTE_WORDS = words(
  'sem com bem mal pouco pouca bastante capricha caprichado caprichada caprichar cortado cortada separado separada',
  'quente quentinho gelado gelada geladinho geladinha gelados geladas torrado tostado passado nao assado assada',
)

/** Words of addresses. The rest of the line is no order. */
export const ADDRESS_WORDS = words(
  'rua r av avenida travessa alameda rodovia estrada bairro cep endereco condominio cpf',
)

/** Words of payment, delivery and complaints. Unknown words beside them are not produtos. */
export const CHATTER_WORDS = words(
  'troco pago pagar pagamento pix cartao dinheiro credito debito nome chamo moro entregam entregue tenho faltando faltou',
  'veio chegou errado atrasado demora loja fisica aceita aceitam parcela parcelam horas horario aberto aberta abre fecha',
  'promocao promocoes novidade novidades sugestao atendente atendimento humano pessoa alguem falar gerente dono',
  'fecham funciona funcionam frete taxa endereco telefone casa apto bloco centro',
)

/** Words behind a number that is no quantity. */
export const NO_QUANTITY_UNITS = words('h hs hrs hora horas min minutos reais real conto contos pila dias meses anos')

export type PhraseEffect =
  | { readonly act: SimpleOrderAct }
  | {
      readonly mode: 'order' | 'question' | 'remove' | 'ignore' | 'correct' | 'chatter' | 'none'
      readonly asks?: boolean
    }

const PHRASES: readonly (readonly [PhraseEffect, string])[] = [
  [
    { act: 'verCarrinho' },
    'carrinho,ver carrinho,ver o carrinho,meu carrinho,ver meu carrinho,meu pedido,ver pedido,ver meu pedido,quanto deu,quanto ficou,quanto deu tudo,qual o total,total do pedido,o que eu pedi',
  ],
  [
    { act: 'limpar' },
    'limpar,limpa,limpa tudo,limpar tudo,limpar carrinho,limpar o carrinho,limpa carrinho,limpa o carrinho,limpa meu carrinho,esvaziar,esvazia,esvaziar carrinho,zerar,zera tudo,cancela tudo,cancelar tudo,cancela o pedido,cancela pedido,cancela meu pedido,cancelar pedido,cancelar o pedido,cancelar meu pedido,apaga tudo,tira tudo,remove tudo,comecar de novo,recomecar,desisto',
  ],
  [
    { act: 'finalizar' },
    'finalizar,finaliza,finalizar pedido,finalizar o pedido,finaliza o pedido,fechar,fecha,fechar pedido,fechar o pedido,pode fechar,pode fechar a conta,pode fechar o pedido,pode finalizar,fecha a conta,fecha o pedido,fechar a conta,so isso,so isso mesmo,e so isso,e so isso mesmo,e so,isso e tudo,mais nada,nada mais,e isso,por enquanto e so,encerrar,concluir',
  ],
  [
    { act: 'confirmar' },
    'confirmar,confirmo,confirma,confirmado,pode confirmar,confirmar pedido,confirmar o pedido,confirmo o pedido,ta confirmado',
  ],
  [
    { mode: 'question', asks: true },
    'tem,teria,tem ai,vende,vendem,fazem,trabalham com,quanto,quanto e,quanto ta,quanto custa,qual o valor,qual o preco,qual valor,qual preco,preco,valor,quero saber se tem,quero saber,queria saber,gostaria de saber,saber se tem,sobrou,ainda tem,nao tem,nao vende,nao vendem',
  ],
  [
    { mode: 'question' },
    'quero ver,queria ver,me mostra,mostra,mostrar,manda foto,manda a foto,tem foto,qual,quais,que horas,por que,porque,onde,existe,sera que,de que,do que,o que,vem com',
  ],
  [
    { mode: 'remove' },
    'tirar,tira,tire,retira,retirar,remover,remove,remova,exclui,excluir,apaga,apagar,esquece,cancela,cancelar,nao quero,nao quero mais,nao vou querer,nao vou querer mais,nao precisa,nao precisa mais,nao manda,nao coloca,nao poe,em vez de,ao inves de,no lugar de,no lugar da,no lugar do,troca,trocar,nem,desisti,muda,mudar,substitui,substituir',
  ],
  [
    { mode: 'correct' },
    'na verdade,na vdd,ops,ops e,alias,digo,quer dizer,melhor,corrigindo,corrige,errei,muda pra,muda para,mudar para,mudar pra,altera para,altera pra,alterar para,troca pra,troca para,trocar para,aumenta pra,aumenta para,diminui pra,diminui para',
  ],
  // Reports of earlier orders.
  [{ mode: 'ignore' }, 'pedi,pedimos,paguei,comprei,recebi,comi,comemos,veio,chegou,ontem'],
  [{ mode: 'order' }, 'me ve,pode ser,vou de,vou querer,fico com,vai querer,quero mais,tem como'],
  [{ mode: 'none' }, 'bom dia,boa tarde,boa noite,tudo bem'],
  [{ mode: 'chatter' }, 'kd,meu nome,me chamo,nao sei,nao tenho,nao recebi,nao chegou,ta faltando,cade'],
]

interface Phrase {
  readonly words: readonly string[]
  readonly effect: PhraseEffect
}

const phrasesByWord = new Map<string, Phrase[]>()
for (const [effect, texts] of PHRASES)
  for (const text of texts.split(',')) {
    const parts = text.split(' ')
    const first = parts[0] ?? ''
    phrasesByWord.set(first, [...(phrasesByWord.get(first) ?? []), { words: parts, effect }])
  }
for (const phrases of phrasesByWord.values()) phrases.sort((a, b) => b.words.length - a.words.length)

/** Returns the longest phrase that `wordAt` reads, with the number of its words. */
export function findPhrase(wordAt: (offset: number) => string | undefined): Phrase | undefined {
  const phrases = phrasesByWord.get(wordAt(0) ?? '')
  return phrases?.find(({ words: parts }) => parts.every((word, offset) => word === wordAt(offset)))
}
