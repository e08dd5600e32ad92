import { LOJA_POR_PAGINA, RESPOSTA_LOJA_PADRAO } from '@balcao/contract/constants'
import type { Config, OpcaoMenu } from '@balcao/contract/entities/config'
import type { Produto } from '@balcao/contract/entities/produto'
import type { BotContext, ProdutoLoja } from '@balcao/engine/context'
import type { Bolha } from '#shared/preview/transcript.ts'
import { conversar } from '#shared/preview/use-preview.ts'
import type { Catalogo } from './produtos.ts'

export interface ConversaDaLoja {
  readonly bolhas: readonly Bolha[]
  /** The product's number in the list. */
  readonly numero: string
}

const OPCAO: OpcaoMenu = { numero: '1', titulo: 'Ver produtos', tipo: 'loja', resposta: RESPOSTA_LOJA_PADRAO }

/** The account's own way into the store; a store that no option leads to is entered by the usual one. */
function contextoDe(config: Config, empresa: string, produtos: readonly ProdutoLoja[]): BotContext {
  const opcao = config.menu.opcoes.find(({ tipo }) => tipo === 'loja') ?? OPCAO
  return { config: { ...config, menu: { ...config.menu, opcoes: [opcao] } }, empresa, produtos, iaDisponivel: false }
}

function paraLoja({ imagemUrl, ...produto }: Produto): ProdutoLoja {
  return imagemUrl === null ? produto : { ...produto, imagemUrl }
}

/** Marks, in the page of the list, the line of the product. */
function destacar(bolhas: readonly Bolha[], numero: string): Bolha[] {
  return bolhas.map((bolha) => {
    if (bolha.tipo !== 'bot') return bolha
    const linha = bolha.texto.split('\n').findIndex((texto) => texto.startsWith(`*${numero}* - `))
    return linha < 0 ? bolha : { ...bolha, opcoes: new Map([[linha, numero]]) }
  })
}

/**
 * A customer in the store, by the bot's own engine: the page of the list where the product is, and the product. It is shown as if
 * it were switched on, among those that are. `agora` in ms.
 */
export function conversaDaLoja(
  { config, empresa, catalogo }: { config: Config; empresa: string; catalogo: Catalogo },
  produto: Produto,
  agora: number,
): ConversaDaLoja {
  const outros = catalogo.filter(({ id, ativo }) => ativo && id !== produto.id)
  const ativos = [...outros, produto].toSorted((a, b) => a.ordem - b.ordem)
  const contexto = contextoDe(config, empresa, ativos.map(paraLoja))
  const indice = ativos.indexOf(produto)
  const numero = String(indice + 1)
  const entrada = contexto.config.menu.opcoes[0]?.numero ?? OPCAO.numero
  const folheadas = Array.from({ length: Math.floor(indice / LOJA_POR_PAGINA) }, () => 'mais')
  const bolhas = conversar(contexto, agora, ['oi', entrada, ...folheadas, numero])
  const perguntas = bolhas.flatMap(({ tipo }, posicao) => (tipo === 'cliente' ? [posicao] : []))
  return { bolhas: destacar(bolhas.slice(perguntas.at(-2)), numero), numero }
}
