import { LOJA_POR_PAGINA, RESPOSTA_LOJA_PADRAO } from '@balcao/contract/constants'
import type { Config, OpcaoMenu } from '@balcao/contract/entities/config'
import type { Produto } from '@balcao/contract/entities/produto'
import type { BotContext, ProdutoLoja } from '@balcao/engine/context'
import { initialPreview, previewReducer, type PreviewState } from '#shared/preview/preview-state.ts'
import type { Bubble } from '#shared/preview/transcript.ts'
import { type Catalog, toLojaProduto } from '#shared/data/produtos.ts'

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

function highlightLine(bolhas: readonly Bubble[], numero: string): Bubble[] {
  return bolhas.map((bubble) => {
    if (bubble.tipo !== 'bot') return bubble
    const line = bubble.texto.split('\n').findIndex((text) => text.startsWith(`*${numero}* - `))
    return line < 0 ? bubble : { ...bubble, opcoes: new Map([[line, numero]]) }
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
  const others = catalogo.filter(({ id, ativo }) => ativo && id !== produto.id)
  const active = [...others, produto].toSorted((a, b) => a.ordem - b.ordem)
  const contexto = lojaContext(config, empresa, active.map(toLojaProduto))
  const index = active.indexOf(produto)
  const numero = String(index + 1)
  const input = contexto.config.menu.opcoes[0]?.numero ?? DEFAULT_OPCAO.numero
  const folheadas = Array.from({ length: Math.floor(index / LOJA_POR_PAGINA) }, () => 'mais')
  const send = (state: PreviewState, texto: string): PreviewState =>
    previewReducer(state, { tipo: 'enviar', texto, agora: now, contexto })
  const { bubbles } = ['oi', input, ...folheadas, numero].reduce(send, initialPreview(now))
  const perguntas = bubbles.flatMap(({ tipo }, position) => (tipo === 'cliente' ? [position] : []))
  return { bubbles: highlightLine(bubbles.slice(perguntas.at(-2)), numero), numero }
}
