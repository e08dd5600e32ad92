import type { ExemploLoja } from '@balcao/contract/presets/lojas/exemplo-loja'
import { EXEMPLOS_LOJA } from '@balcao/contract/presets/lojas/exemplos-loja'
import { describe, expect, it } from 'vitest'
import { createTranscript, sentTexts, testBotContext } from '#testing/transcript.ts'

const MESSAGES_MAX = 8

/** A whole order in one sentence, and the sum of its items. */
const ORDERS: Readonly<Record<string, { readonly text: string; readonly subtotal: string }>> = {
  padaria: { text: '10 pães franceses, 2 coxinhas de frango com catupiry e um bolo de fubá', subtotal: 'R$ 57,00' },
  pizzaria: {
    text: 'quero uma pizza grande metade calabresa metade portuguesa com borda de cheddar e um guaraná',
    subtotal: 'R$ 77,90',
  },
  hamburgueria: { text: 'um x-bacon ao ponto com ovo e uma batata frita', subtotal: 'R$ 53,00' },
  'pet-shop': { text: 'uma ração para cães adultos de 15 kg e 2 bolinhas', subtotal: 'R$ 255,70' },
  mercado: { text: '2 arroz, 3 feijão e 6 caixas de leite', subtotal: 'R$ 119,90' },
}

function openShop(sample: ExemploLoja) {
  const produtos = sample.produtos.map((produto, index) => ({ ...produto, id: `p${index}` }))
  const talk = createTranscript(
    testBotContext(
      ({ loja }) => {
        loja.pedidos = true
        loja.entrega = sample.entrega
        loja.pix = { chave: '11222333000181', nome: sample.nome, cidade: 'São Paulo' }
      },
      { produtos },
    ),
  )
  return { ...talk, say: (text: string) => sentTexts(talk.customer(text)).join('\n') }
}

describe.each(EXEMPLOS_LOJA)('Sample shop $nome', (sample) => {
  const { id, entrega, produtos } = sample

  it('sells from the greeting to the confirmation in at most eight messages', () => {
    const { say, customer } = openShop(sample)
    const { text = '', subtotal = '' } = ORDERS[id] ?? {}
    const texts = ['oi', '3', text, 'fechar', 'entrega', `Rua das Flores, 10, ${entrega.taxas[0]?.bairro}`, 'pix']
    expect(texts.length + 1).toBeLessThanOrEqual(MESSAGES_MAX)
    const said = texts.map((one) => say(one))
    expect(said[2]).toContain(`Subtotal: *${subtotal}*`)
    expect(said.at(-1)).toContain('*Total: ')
    expect(customer('confirmar')).toEqual([{ tipo: 'criarPedido' }])
  })

  it('finds each produto by its own name', () => {
    const lost = produtos.filter(({ nome }) => {
      const { say, state } = openShop(sample)
      for (const one of ['oi', '3']) say(one)
      say(`quero 3 ${nome.toLowerCase()}`)
      const { carrinho, ...rest } = state()
      const asked = rest.etapa === 'loja' && rest.duvida?.tipo === 'grupo' ? rest.duvida.item.quantidade : 0
      const item = carrinho?.itens[0]
      return !(asked === 3 || (item?.nome === nome && item.quantidade === 3))
    })
    expect(lost.map(({ nome }) => nome)).toEqual([])
  })
})
