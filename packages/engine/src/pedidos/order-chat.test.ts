import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Config } from '@balcao/contract/entities/config'
import type { Grupo } from '@balcao/contract/entities/produto'
import type { ProdutoLoja } from '#context.ts'
import { createTranscript, sentTexts, testBotContext } from '#testing/transcript.ts'

const opcao = (id: string, nome: string, acrescimoCentavos = 0) => ({ id, nome, acrescimoCentavos, ativa: true })
const SABORES: Grupo = {
  ...{ id: 'sabores', nome: 'Sabores', minimo: 1, maximo: 2, preco: 'maior' },
  opcoes: [opcao('cal', 'Calabresa', 500), opcao('por', 'Portuguesa', 800), opcao('mus', 'Muçarela')],
}
const BORDA: Grupo = {
  ...{ id: 'borda', nome: 'Borda', minimo: 0, maximo: 1, preco: 'soma' },
  opcoes: [opcao('cat', 'Catupiry', 700), opcao('che', 'Cheddar', 700)],
}
const produto = (id: string, nome: string, preco: number, rest: Partial<ProdutoLoja> = {}): ProdutoLoja => ({
  ...{ id, nome, preco, descricao: nome, ...rest },
})
const PONTO: Grupo = {
  ...{ id: 'ponto', nome: 'Ponto da carne', minimo: 1, maximo: 1, preco: 'soma' },
  opcoes: [opcao('mal', 'Mal passada'), opcao('ao', 'Ao ponto'), opcao('bem', 'Bem passada')],
}
const PRODUTOS = [
  produto('coxinha', 'Coxinha', 5),
  produto('lata', 'Coca-Cola lata', 6),
  produto('dois', 'Coca-Cola 2 litros', 14),
  produto('pizza', 'Pizza grande', 40, { grupos: [SABORES, BORDA] }),
  produto('torta', 'Torta de limão', 12, { estoque: 0 }),
  produto('picanha', 'Picanha', 60, { grupos: [PONTO] }),
]

function start(change: (loja: Config['loja']) => void = () => undefined) {
  const context = testBotContext(
    ({ loja }) => {
      loja.pedidos = true
      loja.entrega = {
        ativa: true,
        taxas: [{ bairro: 'Centro', centavos: 700 }],
        minimoCentavos: 1_000,
        gratisAcimaCentavos: null,
      }
      loja.pagamentos = ['dinheiro', 'cartao']
      change(loja)
    },
    {
      produtos: PRODUTOS,
      cupons: [
        {
          ...{
            id: 'c',
            codigo: 'VOLTEI10',
            tipo: 'percentual',
            valor: 10,
            minimoCentavos: 0,
            usos: null,
            porCliente: null,
          },
          ativo: true,
        },
      ],
    },
  )
  const talk = createTranscript(context)
  for (const text of ['oi', '3']) talk.customer(text)
  expect(talk.etapa()).toBe('loja')
  const say = (text: string, extra = {}) => sentTexts(talk.customer(text, extra)).join('\n---\n')
  const cart = () => talk.state().carrinho?.itens.map(({ quantidade, nome }) => `${quantidade}x ${nome}`) ?? null
  return { ...talk, context, say, cart }
}

describe('orders in the chat', () => {
  it('change nothing while the shop takes none', () => {
    const { say, cart } = start((loja) => (loja.pedidos = false))
    expect(say('2 coxinhas')).toContain('Não encontrei este produto')
    expect(cart()).toBeNull()
  })

  it.each([
    ['quero 2 coxinhas', ['2x Coxinha']],
    ['Boa noite! Me vê uma picanha sem sal e duas coxinhas, por favor', ['2x Coxinha']],
  ])('begin at the menu with a text that is an order: %s', (text, cart) => {
    const talk = start()
    talk.say('sair')
    expect(talk.etapa()).toBe('menu')
    talk.say(text)
    expect(talk.etapa()).toBe('loja')
    expect(talk.cart()).toEqual(cart)
    talk.say('ao ponto')
    talk.say('mais 2 coxinhas')
    expect(talk.cart()).toContain('4x Coxinha')
  })

  it('begin at the menu with the question which produto is meant', () => {
    const { say, cart } = start()
    say('sair')
    expect(say('quero uma coca')).toContain('Coca-Cola 2 litros')
    say('1')
    expect(cart()).toEqual(['1x Coca-Cola lata'])
  })

  it('begin with the first message, after the greeting', () => {
    const said = sentTexts(createTranscript(start().context).customer('oi, quero 3 coxinhas'))
    expect(said.at(-1)).toContain('3x Coxinha')
    expect(said.length).toBeGreaterThan(1)
  })

  it.each([
    'minhas 2 coxinhas não chegaram',
    'uma coxinha veio queimada',
    'quero devolver uma picanha',
    'quero reclamar da coxinha',
    'vocês têm 2 coxinhas?',
    'coxinha',
    '2x1',
    'quero 0',
  ])('do not begin at the menu with a text that says more or names no produto: %s', (text) => {
    const { say, cart, etapa } = start()
    say('sair')
    say(text)
    expect(etapa()).toBe('menu')
    expect(cart()).toBeNull()
  })

  it('do not begin at a menu without the shop', () => {
    const { say, etapa, change, context } = start()
    say('sair')
    const opcoes = context.config.menu.opcoes.filter(({ tipo }) => tipo !== 'loja')
    change({ config: { ...context.config, menu: { ...context.config.menu, opcoes } } })
    say('quero 2 coxinhas')
    expect(etapa()).toBe('menu')
  })

  it('add what a sentence names, show the sum and keep numbers for the catalogue', () => {
    const { say, cart } = start()
    expect(say('me vê duas coxinhas e uma coca 2 litros')).toContain('Subtotal: *R$ 24,00*')
    expect(cart()).toEqual(['2x Coxinha', '1x Coca-Cola 2 litros'])
    expect(say('1')).toContain('*Coxinha*')
    say('quero 3')
    expect(cart()).toEqual(['5x Coxinha', '1x Coca-Cola 2 litros'])
    expect(say('carrinho')).toContain('*1* - 5x Coxinha')
    say('tirar 2')
    expect(cart()).toEqual(['5x Coxinha'])
    expect(say('limpar')).toContain('vazio')
    expect(cart()).toEqual([])
  })

  it('ask which produto is meant, and say what was not found', () => {
    const { say, cart } = start()
    expect(say('uma coca e um churros')).toMatch(/Não encontrei “.*churros.*”[^]*Qual deles\?[^]*lata[^]*2 litros/)
    expect(cart() ?? []).toEqual([])
    say('2')
    expect(cart()).toEqual(['1x Coca-Cola 2 litros'])
    expect(say('1 torta de limão')).toContain('não está disponível')
    expect(cart()).toEqual(['1x Coca-Cola 2 litros'])
  })

  it('ask each group that the sentence did not name', () => {
    const { say, cart, state } = start()
    expect(say('uma pizza grande')).toContain('Sabores (de 1 a 2)')
    expect(say('1, 2 e 3')).toContain('no máximo 2')
    expect(say('metade calabresa metade portuguesa')).toContain('Borda (se quiser)')
    expect(say('sem')).toContain('R$ 48,00')
    expect(cart()).toEqual(['1x Pizza grande'])
    expect(state().carrinho?.itens[0]?.detalhes).toEqual(['Calabresa', 'Portuguesa'])
    expect(say('pizza grande meia calabresa meia portuguesa')).toContain('Borda')
  })

  it.each([
    ['fechar', 'Antes de fechar'],
    ['ok', 'Não entendi'],
    ['9', 'Não entendi'],
    ['lasanha', 'Não encontrei'],
    ['2 coxinhas', 'Coxinha'],
    ['uma pizza grande', 'Pizza grande'],
    ['carrinho', 'Pizza grande'],
  ])('keep asking for the options of an item after %j', (text, told) => {
    const { say, cart } = start()
    say('uma pizza grande')
    const asked = say(text)
    expect(asked).toContain(told)
    expect(asked).toContain('Sabores (de 1 a 2)')
    say('calabresa')
    say('sem')
    expect(cart()).toContain('1x Pizza grande')
    expect(cart()).toHaveLength(text === '2 coxinhas' ? 2 : 1)
    expect(say('fechar')).toContain('Como prefere receber?')
  })

  it.each(['tirar pizza', 'limpar', 'não quero a pizza'])('drop an item under a question after %j', (text) => {
    const { say, cart } = start()
    say('uma pizza grande')
    expect(say(text)).not.toContain('Sabores')
    expect(cart() ?? []).toEqual([])
    expect(say('fechar')).toContain('vazio')
  })

  it('ask which produto is meant until the customer chooses, then for the options of other items', () => {
    const { say, cart } = start()
    expect(say('uma pizza grande e 2 cocas')).toContain('Qual deles?')
    expect(say('fechar')).toMatch(/Antes de fechar[^]*Qual deles\?/)
    expect(say('7')).toContain('Qual deles?')
    expect(say('2')).toContain('Sabores')
    say('calabresa')
    say('sem')
    expect(cart()?.toSorted()).toEqual(['1x Pizza grande', '2x Coca-Cola 2 litros'])
  })

  it('read an option behind the name of its group, and in the other gender', () => {
    const { say, state } = start()
    expect(say('uma pizza grande de calabresa com borda de catupiry')).toContain('R$ 52,00')
    expect(state().carrinho?.itens[0]).toMatchObject({ detalhes: ['Calabresa', 'Catupiry'], observacao: '' })
    expect(say('uma picanha bem passado')).toContain('Picanha (Bem passada)')
    expect(say('picanha')).toContain('Ponto da carne')
    expect(say('mal passado')).toContain('Picanha (Mal passada)')
  })

  it('ask about the only produto that may be meant, and take yes and no', () => {
    const { say, cart } = start()
    expect(say('2 coxinhas de ouro')).toContain('Seria este? Responda *sim* ou *não*.')
    say('sim')
    expect(cart()).toEqual(['2x Coxinha'])
    say('3 coxinhas de ouro')
    expect(say('não')).toContain('deixei de fora')
    expect(cart()).toEqual(['2x Coxinha'])
  })

  it('name the neighbourhood once in the summary', () => {
    const { say } = start()
    for (const text of ['4 coxinhas', 'fechar', 'entrega', 'Rua X, Centro']) say(text)
    expect(say('cartão')).toContain('📍 Rua X, Centro\n')
  })

  it('go from the cart to a confirmed order', () => {
    const { say, customer, state } = start()
    say('4 coxinhas')
    say('cupom voltei10')
    expect(say('fechar')).toContain('Como prefere receber?')
    expect(say('entrega')).toContain('endereço')
    expect(say('Rua das Flores, 10')).toContain('bairro')
    expect(say('Lua')).toContain('Ainda não entregamos em Lua')
    expect(say('centro')).toContain('Como prefere pagar?')
    expect(say('dinheiro')).toContain('troco')
    expect(say('10')).toContain('O total é R$ 25,00')
    const summary = say('50')
    for (const part of [
      '4x Coxinha',
      'Subtotal: R$ 20,00',
      'Entrega: R$ 7,00',
      '- R$ 2,00',
      '*Total: R$ 25,00*',
      'troco para R$ 50,00',
    ])
      expect(summary).toContain(part)
    expect(customer('confirmar')).toEqual([{ tipo: 'criarPedido' }])
    const feito = { tipo: 'feito', pedidoId: 'p7', numero: 7, totalCentavos: 2_500, pix: null } as const
    expect(customer('confirmar', { pedido: feito })).toEqual([
      {
        ...{ tipo: 'enviarTexto', origem: 'bot', pedidoId: 'p7' },
        texto: expect.stringContaining('Pedido nº 7 recebido! Total: R$ 25,00'),
      },
    ])
    expect(state().carrinho).toBeNull()
  })

  it('tell a changed price or stock, and ask for another confirmation', () => {
    const { say, cart, customer } = start((loja) => (loja.entrega.ativa = false))
    say('3 coxinhas e 1 coca lata')
    say('fechar')
    expect(say('cartão')).toContain('Retirar na loja')
    const itens = [
      { precoCentavos: 600, quantidade: 2 },
      { precoCentavos: 600, quantidade: 0 },
    ]
    const told = say('confirmar', { pedido: { tipo: 'mudou', itens } })
    for (const part of ['só temos 2', 'custa agora R$ 6,00', 'Coca-Cola lata acabou', '*Total: R$ 12,00*'])
      expect(told).toContain(part)
    expect(cart()).toEqual(['2x Coxinha'])
    expect(customer('confirmar')).toEqual([{ tipo: 'criarPedido' }])
  })

  it('confirm nothing before a summary, and keep the cart when the dialogue expires', () => {
    const { say, cart, advance, etapa } = start()
    expect(say('confirmar')).toContain('vazio')
    say('2 coxinhas')
    expect(say('confirmar')).toContain('Como prefere receber?')
    advance(600)
    say('oi')
    expect(etapa()).toBe('menu')
    expect(cart()).toEqual(['2x Coxinha'])
  })

  it('have the sum of their items, fee and discount after any sequence of messages', () => {
    const unit = { coxinha: 500, lata: 600 }
    const amount = fc.integer({ min: 1, max: 9 })
    const produto = fc.constantFrom('coxinha', 'lata')
    const act = fc.oneof(
      fc.record({ tipo: fc.constant('pedir'), produto, amount }),
      fc.record({ tipo: fc.constant('tirar'), produto, amount }),
      fc.record({ tipo: fc.constantFrom('limpar', 'cupom', 'carrinho', 'ver'), produto, amount }),
    )
    const sentences = {
      pedir: (nome: string, n: number) => `quero ${n} ${nome}`,
      tirar: (nome: string, n: number) => `tira ${n} ${nome}`,
      limpar: () => 'limpar',
      cupom: () => 'cupom voltei10',
      carrinho: () => 'carrinho',
      ver: () => '1',
    }
    fc.assert(
      fc.property(fc.array(act, { minLength: 1, maxLength: 12 }), fc.boolean(), (acts, delivery) => {
        const { say: sayNow, state, advance } = start((loja) => (loja.entrega.minimoCentavos = 0))
        const say = (text: string) => {
          // Many answers within a minute look like two bots that talk.
          advance(2)
          return sayNow(text)
        }
        const model = { coxinha: 0, lata: 0 }
        let coupon = false
        for (const { tipo, produto: id, amount: n } of acts) {
          const which = id === 'lata' ? 'lata' : 'coxinha'
          say(sentences[tipo](which === 'lata' ? 'coca lata' : 'coxinha', n))
          if (tipo === 'pedir') model[which] += n
          if (tipo === 'tirar') model[which] = Math.max(0, model[which] - n)
          if (tipo === 'limpar') [model.coxinha, model.lata, coupon] = [0, 0, false]
          if (tipo === 'cupom') coupon = true
        }
        const itens = state().carrinho?.itens ?? []
        const counted = (id: string) => itens.filter(({ produtoId }) => produtoId === id)
        for (const id of ['coxinha', 'lata'] as const)
          expect(counted(id).reduce((sum, { quantidade }) => sum + quantidade, 0)).toBe(model[id])
        const subtotal = model.coxinha * unit.coxinha + model.lata * unit.lata
        if (subtotal === 0) return
        say('fechar')
        say(delivery ? 'entrega' : 'retirar')
        if (delivery) say('Rua A, 10, Centro')
        const total = subtotal + (delivery ? 700 : 0) - (coupon ? Math.floor(subtotal / 10) : 0)
        expect(say('cartão').replaceAll(/[.\u00A0]/g, (sign) => (sign === '.' ? '' : ' '))).toContain(
          `Total: R$ ${(total / 100).toFixed(2).replace('.', ',')}`,
        )
      }),
      { numRuns: 200 },
    )
  })
})
