import { LOJA_POR_PAGINA, RESPOSTA_LOJA_PADRAO } from '@balcao/contract/constants'
import type { Config, OpcaoMenu } from '@balcao/contract/entities/config'
import type { Produto } from '@balcao/contract/entities/produto'
import type { BotContext, ProdutoLoja } from '@balcao/engine/context'
import { initialPreview, previewReducer, type PreviewState } from '#shared/preview/preview-state.ts'
import type { Bubble } from '#shared/preview/transcript.ts'
import type { Catalog } from './produtos.ts'

export interface LojaConversa {
  readonly bubbles: readonly Bubble[]
  readonly numero: string
}

const DEFAULT_OPCAO: OpcaoMenu = { numero: '1', titulo: 'Ver produtos', tipo: 'loja', resposta: RESPOSTA_LOJA_PADRAO }

/** Uses the account's menu option of type `loja`, or a default one. */
function lojaContext(config: Config, empresa: string, produtos: readonly ProdutoLoja[]): BotContext {
  const opcao = config.menu.opcoes.find(({ tipo }) => tipo === 'loja') ?? DEFAULT_OPCAO
  return { config: { ...config, menu: { ...config.menu, opcoes: [opcao] } }, empresa, produtos, iaAvailable: false }
}

function toLojaProduto({ imagemUrl, ...produto }: Produto): ProdutoLoja {
  return imagemUrl === null ? produto : { ...produto, imagemUrl }
}

function highlightLine(bolhas: readonly Bubble[], numero: string): Bubble[] {
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
export function lojaConversaOf(
  { config, empresa, catalogo }: { config: Config; empresa: string; catalogo: Catalog },
  produto: Produto,
  now: number,
): LojaConversa {
  const outros = catalogo.filter(({ id, ativo }) => ativo && id !== produto.id)
  const ativos = [...outros, produto].toSorted((a, b) => a.ordem - b.ordem)
  const contexto = lojaContext(config, empresa, ativos.map(toLojaProduto))
  const indice = ativos.indexOf(produto)
  const numero = String(indice + 1)
  const entrada = contexto.config.menu.opcoes[0]?.numero ?? DEFAULT_OPCAO.numero
  const folheadas = Array.from({ length: Math.floor(indice / LOJA_POR_PAGINA) }, () => 'mais')
  const enviar = (estado: PreviewState, texto: string): PreviewState =>
    previewReducer(estado, { tipo: 'enviar', texto, agora: now, contexto })
  const { bubbles } = ['oi', entrada, ...folheadas, numero].reduce(enviar, initialPreview(now))
  const perguntas = bubbles.flatMap(({ tipo }, posicao) => (tipo === 'cliente' ? [posicao] : []))
  return { bubbles: highlightLine(bubbles.slice(perguntas.at(-2)), numero), numero }
}
