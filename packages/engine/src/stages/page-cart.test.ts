import { describe, expect, it } from 'vitest'
import type { Config } from '@balcao/contract/entities/config'
import type { Cart } from '#pedidos/cart.ts'
import { createTranscript, sampleProdutos, sentTexts, testBotContext } from '#testing/transcript.ts'
import { isCartCode } from './page-cart.ts'

const CART: Cart = {
  itens: [
    {
      ...{ produtoId: 'p1', nome: 'Produto 1', quantidade: 2, opcoes: [], detalhes: [], observacao: '' },
      precoCentavos: 1_000,
    },
  ],
  entrega: { tipo: 'retirada', endereco: '', bairro: '', cep: '' },
  pagamento: { forma: 'cartao' },
  ...{ cupom: null, observacao: 'sem sal', mudouEm: 0 },
}
const CODE = 'Pedido do cardápio: ABC234'

function start(change: (loja: Config['loja']) => void = () => undefined) {
  const context = testBotContext(
    ({ loja }) => {
      loja.pedidos = true
      loja.pagina = { ...loja.pagina, ativa: true, endereco: 'aurora' }
      change(loja)
    },
    { produtos: sampleProdutos(2) },
  )
  const talk = createTranscript(context)
  const say = (text: string, extra = {}) => sentTexts(talk.customer(text, extra)).join('\n')
  return { ...talk, say }
}

describe('isCartCode', () => {
  it.each(['ABC234', '2ABCDE', 'ZZZZZ9'])('accepts %s', (code) => expect(isCartCode(code)).toBe(true))
  it.each(['ABCDEF', '234567', 'ABC0DE', 'ABC1DE', 'ABO234', 'ABI234', 'abc234', 'ABC23', 'ABC2345', ''])(
    'refuses %s',
    (code) => expect(isCartCode(code)).toBe(false),
  )
})

describe('a message with a code', () => {
  it('asks for the cart and changes nothing before', () => {
    const { customer, state } = start()
    const before = state()
    expect(customer('oi, meu pedido é abc234!')).toEqual([{ tipo: 'buscarCarrinho', codigos: ['ABC234'] }])
    expect(state()).toEqual(before)
  })

  it.each([
    ['without a code', 'quero fazer um pedido de bolachas', () => undefined],
    ['while the shop takes no orders', CODE, (loja: Config['loja']) => void (loja.pedidos = false)],
    ['of a shop without a page', CODE, (loja: Config['loja']) => void (loja.pagina.endereco = '')],
  ])('is an ordinary message %s', (_case, text, change) => {
    expect(start(change).customer(text)).not.toContainEqual(expect.objectContaining({ tipo: 'buscarCarrinho' }))
  })

  it('greets a new customer, shows the summary and confirms it', () => {
    const { say, customer, state } = start()
    const told = say(CODE, { carrinho: CART })
    expect(told).toContain('BOAS VINDAS')
    expect(told).toContain('2x Produto 1')
    expect(told).toContain('Total: R$ 20,00')
    expect(told).toContain('sem sal')
    expect(told).not.toContain('MENU')
    expect(state().carrinho?.observacao).toBe('sem sal')
    expect(customer('confirmar')).toEqual([{ tipo: 'criarPedido' }])
  })

  it('replaces the cart of a customer who is in the shop', () => {
    const { say, state } = start()
    say('oi')
    say('3')
    say('quero 1')
    expect(say(CODE, { carrinho: CART })).toContain('Resumo do pedido')
    expect(state().carrinho?.itens).toHaveLength(1)
  })

  it('asks for what the cart lacks', () => {
    expect(start().say(CODE, { carrinho: { ...CART, pagamento: null } })).toContain('Como prefere pagar?')
  })

  it('says that the code does not count, and shows the menu', () => {
    const { say } = start()
    say('oi')
    const told = say(CODE, { carrinho: null })
    expect(told).toContain('Não encontrei o pedido deste código')
    expect(told).toContain('MENU')
  })

  it('answers an old message of a backlog with the summary', () => {
    const { say } = start()
    say('oi')
    expect(say(CODE, { carrinho: CART, enviadaEm: 0 })).toContain('Resumo do pedido')
  })

  it('shows the order while people serve the customer, who keep the conversa', () => {
    const { say, customer, etapa, state } = start()
    say('oi')
    say('atendente')
    expect(customer(CODE)).toEqual([{ tipo: 'buscarCarrinho', codigos: ['ABC234'] }])
    expect(say(CODE, { carrinho: CART })).toContain('A loja confirma o pedido')
    expect(etapa()).toBe('humano')
    expect(state().carrinho?.itens).toHaveLength(1)
    expect(customer('tudo certo?')).toEqual([])
  })

  it('stays without an answer after a request to stop', () => {
    const { say, customer } = start()
    say('oi')
    say('parar')
    expect(customer(CODE)).toEqual([])
  })
})

describe('carrinhoDaPagina', () => {
  it('shows the summary, which the customer confirms', () => {
    const { say, emit, customer } = start()
    say('oi')
    expect(sentTexts(emit({ tipo: 'carrinhoDaPagina', carrinho: CART })).join()).toContain('Total: R$ 20,00')
    expect(customer('confirmar')).toEqual([{ tipo: 'criarPedido' }])
  })

  it('sends nothing after a request to stop', () => {
    const { say, emit } = start()
    say('oi')
    say('parar')
    expect(emit({ tipo: 'carrinhoDaPagina', carrinho: CART })).toEqual([])
  })
})

describe('{link}', () => {
  it('is the page of the customer, and nothing without a page', () => {
    const context = testBotContext(({ menu }) => (menu.mensagens.boasVindas = 'Veja: {link}'))
    const link = 'https://balcao.test/m/aurora?t=x'
    expect(sentTexts(createTranscript(context).customer('oi', { link })).join()).toContain(`Veja: ${link}`)
    expect(sentTexts(createTranscript(context).customer('oi')).join()).not.toContain('{link}')
  })
})
