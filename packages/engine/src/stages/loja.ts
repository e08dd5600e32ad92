import { LOJA_POR_PAGINA } from '@balcao/contract/constants'
import type { BotContext, ProdutoLoja } from '#context.ts'
import { type BotEffect, texto } from '#effect.ts'
import type { MensagemCliente } from '#event.ts'
import { FRASES, produtoIndisponivel } from '#frases.ts'
import { lerNumero } from '#rules/opcoes.ts'
import { palavras } from '#rules/texto.ts'
import type { BotState } from '#state.ts'
import { dizer, mostrarMenu, type Resultado, type Turno } from '#turno.ts'

type EstadoLoja = Extract<BotState, { etapa: 'loja' }>

const reais = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })

/** `R$ 1.234,56`, with an ordinary space: messaging apps break lines at the other one badly. */
export function emReais(valor: number): string {
  return reais.format(valor).replace(/\s/g, ' ')
}

/** Option of kind `loja`: the reply, then the first page. An empty catalogue is said, and the menu follows. */
export function entrarNaLoja(turno: Turno, resposta: string): Resultado {
  const itens = turno.contexto.produtos.map(({ id, nome }) => ({ id, nome }))
  if (itens.length === 0) return mostrarMenu(turno, dizer(turno, FRASES.semProdutos))
  const state: EstadoLoja = { ...turno.memoria, etapa: 'loja', erros: 0, pergunta: null, pagina: 0, itens }
  return { state, effects: [...dizer(turno, resposta), lista(turno.contexto, state)] }
}

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
  return { state, effects: [detalhe(produto)] }
}

function proximaPagina(turno: Turno, state: EstadoLoja): Resultado {
  const paginas = Math.max(1, Math.ceil(state.itens.length / LOJA_POR_PAGINA))
  // After the last page the catalogue begins again: `mais` always shows something.
  const seguinte: EstadoLoja = { ...state, pagina: (state.pagina + 1) % paginas }
  return { state: seguinte, effects: [lista(turno.contexto, seguinte)] }
}

function lista({ produtos }: BotContext, { itens, pagina }: EstadoLoja): BotEffect {
  const primeiro = pagina * LOJA_POR_PAGINA
  const daPagina = itens.slice(primeiro, primeiro + LOJA_POR_PAGINA)
  const linhas = daPagina.map(({ id, nome }, indice) => {
    const atual = produtos.find((produto) => produto.id === id)
    const cauda = atual === undefined ? '_(indisponível)_' : `${emReais(atual.preco)}`
    return `*${primeiro + indice + 1}* - ${atual?.nome ?? nome} · ${cauda}`
  })
  const mais = itens.length > LOJA_POR_PAGINA ? ' · *mais* para ver outros' : ''
  return texto(`${linhas.join('\n')}\n\nResponda com o número do produto${mais} · *0* para voltar ao menu`)
}

function detalhe(produto: ProdutoLoja): BotEffect {
  const { linkCheckout = '', imagemUrl = '' } = produto
  const link = linkCheckout === '' ? '' : `🛒 Comprar: ${linkCheckout}`
  const partes = [
    `*${produto.nome}*`,
    produto.descricao,
    `💰 ${emReais(produto.preco)}`,
    link,
    '*0* para voltar ao menu · *mais* para ver outros',
  ]
  const legenda = partes.filter((parte) => parte.trim() !== '').join('\n\n')
  return imagemUrl === '' ? texto(legenda) : { tipo: 'enviarImagem', imagemUrl, legenda }
}
