import { LOJA_POR_PAGINA, RESPOSTA_LOJA_PADRAO } from '@balcao/contract/constants'
import type { Config, OpcaoMenu } from '@balcao/contract/entities/config'
import type { Produto } from '@balcao/contract/entities/produto'
import type { BotContext, ProdutoLoja } from '@balcao/engine/context'
import { previewInicial, previewReducer, type PreviewState } from '#shared/preview/preview-state.ts'
import type { Bolha } from '#shared/preview/transcript.ts'
import type { Catalogo } from './produtos.ts'

export interface ConversaDaLoja {
  readonly bolhas: readonly Bolha[]
  readonly numero: string
}

const OPCAO: OpcaoMenu = { numero: '1', titulo: 'Ver produtos', tipo: 'loja', resposta: RESPOSTA_LOJA_PADRAO }

/** Uses the account's menu option of type `loja`, or a default one. */
function contextoDe(config: Config, empresa: string, produtos: readonly ProdutoLoja[]): BotContext {
  const opcao = config.menu.opcoes.find(({ tipo }) => tipo === 'loja') ?? OPCAO
  return { config: { ...config, menu: { ...config.menu, opcoes: [opcao] } }, empresa, produtos, iaDisponivel: false }
}

function paraLoja({ imagemUrl, ...produto }: Produto): ProdutoLoja {
  return imagemUrl === null ? produto : { ...produto, imagemUrl }
}

function destacar(bolhas: readonly Bolha[], numero: string): Bolha[] {
  return bolhas.map((bolha) => {
    if (bolha.tipo !== 'bot') return bolha
    const linha = bolha.texto.split('\n').findIndex((texto) => texto.startsWith(`*${numero}* - `))
    return linha < 0 ? bolha : { ...bolha, opcoes: new Map([[linha, numero]]) }
  })
}

/**
 * Runs the bot engine: the list page with the product, then the product. An inactive product counts as active.
 * The current time is in ms.
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
  const enviar = (estado: PreviewState, texto: string): PreviewState =>
    previewReducer(estado, { tipo: 'enviar', texto, agora, contexto })
  const { bolhas } = ['oi', entrada, ...folheadas, numero].reduce(enviar, previewInicial(agora))
  const perguntas = bolhas.flatMap(({ tipo }, posicao) => (tipo === 'cliente' ? [posicao] : []))
  return { bolhas: destacar(bolhas.slice(perguntas.at(-2)), numero), numero }
}
