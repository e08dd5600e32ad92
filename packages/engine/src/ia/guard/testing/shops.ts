import { defaultConfig } from '@balcao/contract/defaults'
import type { Config, Horario, Intervalo } from '@balcao/contract/entities/config'
import type { Trecho } from '@balcao/contract/entities/fonte'
import type { ExemploLoja } from '@balcao/contract/presets/lojas/exemplo-loja'
import { HAMBURGUERIA } from '@balcao/contract/presets/lojas/hamburgueria'
import { MERCADO } from '@balcao/contract/presets/lojas/mercado'
import { PADARIA } from '@balcao/contract/presets/lojas/padaria'
import { PET_SHOP } from '@balcao/contract/presets/lojas/pet-shop'
import { PIZZARIA } from '@balcao/contract/presets/lojas/pizzaria'
import { MONDAY_10H } from '#testing/transcript.ts'
import type { Evidence } from '../types.ts'
import type { LabelledAnswer } from './labels.ts'

/** The shops of the labelled answers, on Monday, 23 November 2026, 10:00. */

interface ShopFacts {
  readonly treinamento: string
  readonly dias: (at: (inicio: string, fim: string) => Intervalo[]) => Partial<Horario['dias']>
  readonly excecoes?: Horario['excecoes']
  readonly trechos?: readonly (readonly [titulo: string, trecho: string])[]
}

const FACTS: Readonly<Record<string, ShopFacts>> = {
  padaria: {
    treinamento: `Somos a Padaria do Bairro, na Rua das Flores, 120. Aceitamos PIX, dinheiro e cartão.
Encomendas de bolo com 2 dias de antecedência. Entregamos em 30 a 40 minutos.
Na compra de dez pães franceses, o décimo primeiro é grátis.
5% de desconto no PIX para compras acima de R$ 50,00.
Telefone (11) 3456-7890. Instagram @padariadobairro. Site: https://padariadobairro.com.br`,
    dias: (at) => ({ ...week(at('06:00', '20:00')), sab: at('06:00', '18:00'), dom: at('07:00', '12:00') }),
    excecoes: [
      { data: '2026-12-25', nome: 'Natal', intervalos: [] },
      { data: '2027-01-01', nome: 'Ano novo', intervalos: [] },
    ],
  },
  pizzaria: {
    treinamento: `Rodízio às quartas por R$ 59,90 por pessoa. Entrega em até 50 minutos.
Terça é dia de promoção: pizza broto com borda grátis.
WhatsApp de reservas: (11) 98888-1234. E-mail: contato@pizzabella.com.br.`,
    dias: (at) => ({ ...week(at('18:00', '23:30')), seg: [], sab: at('18:00', '23:30'), dom: at('18:00', '23:30') }),
    excecoes: [{ data: '2026-12-25', nome: 'Natal', intervalos: [{ inicio: '18:00', fim: '22:00' }] }],
    trechos: [['Alergênicos', 'Massa sem glúten, feita de arroz, por mais R$ 12,00 em qualquer pizza.']],
  },
  hamburgueria: {
    treinamento: `Combo: qualquer burger com batata e refrigerante por R$ 45,00. Tempo de entrega: 40 a 60 minutos.
Garantimos o ponto da carne: se errar, fazemos outro. Desconto de 10% para retirada.
Cardápio: https://www.burgerdavila.com.br/cardapio. Telefone: (11) 2345-6789.`,
    dias: (at) => ({
      ...week(at('18:00', '23:00')),
      dom: at('18:00', '23:00'),
      sex: at('18:00', '01:00'),
      sab: at('18:00', '01:00'),
    }),
    excecoes: [{ data: '2026-12-25', nome: 'Natal', intervalos: [] }],
  },
  'pet-shop': {
    treinamento: `Banho para cães pequenos R$ 50,00, médios R$ 70,00 e grandes R$ 90,00. O banho leva cerca de 2 horas.
Tosa por mais R$ 30,00. Trocas em até 7 dias com nota. Coleiras têm garantia de 90 dias.
Vacina só com o veterinário, às terças e quintas, das 14h às 17h. WhatsApp do banho: (21) 97777-4321.
Fidelidade: desconto de 10% no quinto banho.`,
    dias: (at) => ({ ...week(at('09:00', '19:00')), sab: at('09:00', '17:00'), dom: [] }),
    trechos: [
      [
        'Hotelzinho',
        'A diária do hotelzinho custa R$ 80,00.\nEntrada a partir das 10h. Cancelamentos com 48 horas de antecedência.',
      ],
      ['Clínica', 'A primeira avaliação de filhotes com o veterinário é gratuita.'],
    ],
  },
  mercado: {
    treinamento: `Ofertas do hortifrúti às quartas: 20% de desconto em frutas. Ofertas da semana em https://mercadobompreco.com.br/ofertas
Pedidos feitos até as 17h são entregues no mesmo dia. Não entregamos aos domingos. Aceitamos vale-alimentação.
Trocas em até 30 dias com nota. SAC: sac@mercadobompreco.com.br, 0800 123 4567. Estacionamento grátis por 2 horas para clientes.`,
    dias: (at) => ({ ...week(at('07:00', '21:00')), sab: at('07:00', '21:00'), dom: at('08:00', '13:00') }),
    trechos: [
      [
        'Cartão fidelidade',
        'A cada R$ 100,00 em compras, 1 ponto.\n50 pontos valem R$ 10,00 de desconto. Os pontos valem por 12 meses.',
      ],
    ],
  },
}
const SHOPS = [PADARIA, PIZZARIA, HAMBURGUERIA, PET_SHOP, MERCADO]

function week(hours: Intervalo[]): Pick<Horario['dias'], 'seg' | 'ter' | 'qua' | 'qui' | 'sex'> {
  return { seg: hours, ter: hours, qua: hours, qui: hours, sex: hours }
}

const evidences = new Map(SHOPS.map((shop) => [shop.id, readShop(shop)]))

function readShop({ id, nome, produtos, entrega }: ExemploLoja): Evidence {
  const { treinamento = '', dias, excecoes = [], trechos = [] } = FACTS[id] ?? {}
  const config = shopConfig(treinamento, dias?.((inicio, fim) => [{ inicio, fim }]) ?? {}, excecoes)
  return {
    contexto: {
      empresa: nome,
      produtos: produtos.map((produto) => ({ id: produto.nome, ...produto })),
      config: { ...config, loja: { ...config.loja, entrega } },
    },
    agora: MONDAY_10H,
    trechos: trechos.map(([titulo, trecho]): Trecho => ({ fonteId: titulo, titulo, trecho, pontuacao: 1 })),
    ferramentas: [],
  }
}

function shopConfig(promptTreinamento: string, dias: Partial<Horario['dias']>, excecoes: Horario['excecoes']): Config {
  const config = defaultConfig()
  const { menu, ia, atendimento } = config
  return {
    ...config,
    ia: { ...ia, promptTreinamento },
    menu: {
      ...menu,
      opcoes: menu.opcoes.filter(({ tipo }) => tipo !== 'mensagem'),
      mensagens: { ...menu.mensagens, foraPeriodo: 'Estamos fechados agora.' },
    },
    atendimento: {
      ...atendimento,
      horario: { ...atendimento.horario, dias: { ...atendimento.horario.dias, ...dias }, excecoes },
    },
  }
}

export function evidenceOf({ loja, pergunta }: LabelledAnswer): Evidence {
  const evidence = shopEvidence(loja)
  return { ...evidence, pergunta }
}

export function shopEvidence(loja: string): Evidence {
  return evidences.get(loja) ?? readShop(PADARIA)
}
