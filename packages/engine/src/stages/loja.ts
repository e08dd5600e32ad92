import { LOJA_POR_PAGINA } from '@balcao/contract/constants'
import type { BotContext, ProdutoLoja } from '#context.ts'
import { type BotEffect, texto } from '#effect.ts'
import type { MensagemCliente } from '#event.ts'
import { FRASES, produtoIndisponivel } from '#frases.ts'
import { LEGENDA_MAXIMO, textoDaLista, textoDoProduto } from '#rules/loja.ts'
import { lerNumero } from '#rules/opcoes.ts'
import { palavras } from '#rules/texto.ts'
import type { BotState } from '#state.ts'
import { dizer, mostrarMenu, type Resultado, type Turno } from '#turno.ts'

type EstadoLoja = Extract<BotState, { etapa: 'loja' }>

/** Option of kind `loja`: the reply, then the first page. Without produtos the bot says so and shows the menu. */
export function entrarNaLoja(turno: Turno, resposta: string): Resultado {
  const itens = turno.contexto.produtos.map(({ id, nome }) => ({ id, nome }))
  if (itens.length === 0) return mostrarMenu(turno, dizer(turno, FRASES.semProdutos))
  const state: EstadoLoja = { ...turno.memoria, etapa: 'loja', erros: 0, pergunta: null, pagina: 0, itens }
  return { state, effects: [...dizer(turno, resposta), lista(turno.contexto, state)] }
}

/** Handles a message in the shop: a number shows that produto, `mais` the next page, `0` or `sair` the menu. */
export function naLoja(turno: Turno, anterior: EstadoLoja, evento: MensagemCliente): Resultado {
  const state: EstadoLoja = { ...turno.memoria, etapa: 'loja', pagina: anterior.pagina, itens: anterior.itens }
  const palavra = palavras(evento.texto).join(' ')
  if (palavra === 'mais') return proximaPagina(turno, state)
  const numero = lerNumero(evento.texto)
  if (numero === 0 || palavra === 'sair') return mostrarMenu(turno)
  const item = numero === null ? undefined : state.itens[numero - 1]
  if (item === undefined) return { state, effects: [texto(FRASES.produtoNaoEncontrado), lista(turno.contexto, state)] }
  const produto = turno.contexto.produtos.find(({ id }) => id === item.id)
  if (produto === undefined)
    return { state, effects: [texto(produtoIndisponivel(item.nome)), lista(turno.contexto, state)] }
  return { state, effects: detalhe(produto) }
}

function proximaPagina(turno: Turno, state: EstadoLoja): Resultado {
  const paginas = Math.max(1, Math.ceil(state.itens.length / LOJA_POR_PAGINA))
  // After the last page `mais` shows the first one.
  const seguinte: EstadoLoja = { ...state, pagina: (state.pagina + 1) % paginas }
  return { state: seguinte, effects: [lista(turno.contexto, seguinte)] }
}

function lista({ produtos }: BotContext, { itens, pagina }: EstadoLoja): BotEffect {
  return texto(textoDaLista(itens, produtos, pagina))
}

/** One message, or picture and text separately when the text is too long for a caption. */
function detalhe(produto: ProdutoLoja): BotEffect[] {
  const { imagemUrl = '', nome } = produto
  const palavrasDele = textoDoProduto(produto)
  if (imagemUrl === '') return [texto(palavrasDele)]
  if (palavrasDele.length <= LEGENDA_MAXIMO) return [{ tipo: 'enviarImagem', imagemUrl, legenda: palavrasDele }]
  return [{ tipo: 'enviarImagem', imagemUrl, legenda: `*${nome}*` }, texto(palavrasDele)]
}
