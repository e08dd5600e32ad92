import { defaultConfig } from '@balcao/contract/defaults'
import type { Config } from '@balcao/contract/entities/config'
import type { BotContext } from '@balcao/engine/context'

/**
 * Fixed instant in business hours, so that build and browser render the same: Tuesday 2025-11-25, 10:12 in São
 * Paulo.
 */
export const DEMO_NOW = Date.UTC(2025, 10, 25, 13, 12)

const OPEN_HOURS = [{ inicio: '06:00', fim: '20:00' }]

const base = defaultConfig({ conector: 'simulador', now: '', year: 2025 })

const config: Config = {
  ...base,
  ia: { ...base.ia, gatilhos: [] },
  menu: {
    ...base.menu,
    menuPrincipal: 'Responda com um número:',
    opcoes: [
      {
        numero: '1',
        titulo: 'Ver produtos',
        tipo: 'loja',
        resposta: '🍞 Saindo do forno! Responda com o número, ou peça por escrito, como *2 bolos de fubá*:',
      },
      {
        numero: '2',
        titulo: 'Encomendar um bolo',
        tipo: 'humano',
        resposta: '🎂 Que delícia! A Rosa já vem anotar o seu pedido. Protocolo *{protocolo}*.',
        setor: 'vendas',
      },
      {
        numero: '3',
        titulo: 'Horário e endereço',
        tipo: 'mensagem',
        resposta: '📍 Rua das Acácias, 120, ao lado da praça.\n🕗 Abrimos de {horario}.',
      },
      { numero: '4', titulo: 'Falar com uma pessoa', tipo: 'humano', resposta: '', setor: 'geral' },
      { numero: '0', titulo: 'Encerrar', tipo: 'finalizar', resposta: '' },
    ],
    mensagens: {
      ...base.menu.mensagens,
      boasVindas: 'Oi! Aqui é da *{empresa}*. Tem pão quentinho das 6h às 20h.',
      opcaoInvalida: 'Esse número não está no menu. Tente um destes:',
      semEntender: 'Ainda não entendi, mas posso ajudar por aqui:',
      aguardandoAtendente: '👤 Certo! Já chamei alguém do balcão. Protocolo *{protocolo}*.',
      foraPeriodo: '🌙 O forno está descansando. Deixe o seu recado: respondemos a partir das 6h.',
      despedida: 'Obrigada pela visita! 💛 Volte sempre à *{empresa}*.',
    },
  },
  loja: {
    ...base.loja,
    pedidos: true,
    pagamentos: ['dinheiro', 'cartao'],
    entrega: { ...base.loja.entrega, ativa: true, taxas: [{ bairro: 'Centro', centavos: 500 }] },
  },
  atendimento: {
    ...base.atendimento,
    setores: [
      { id: 'vendas', nome: 'Vendas', cor: 'blue', ativo: true, criadoEm: '' },
      { id: 'geral', nome: 'Geral', cor: 'gray', ativo: true, criadoEm: '' },
    ],
    avaliacao: { ativa: true },
    horario: {
      fuso: 'America/Sao_Paulo',
      excecoes: [],
      dias: {
        seg: OPEN_HOURS,
        ter: OPEN_HOURS,
        qua: OPEN_HOURS,
        qui: OPEN_HOURS,
        sex: OPEN_HOURS,
        sab: OPEN_HOURS,
        dom: OPEN_HOURS,
      },
    },
  },
}

export const demoShopContext: BotContext = {
  config,
  empresa: 'Padaria Aurora',
  iaAvailable: false,
  produtos: [
    {
      id: 'pao-frances',
      nome: 'Pão francês (1 kg)',
      preco: 18.9,
      descricao: 'Casca fina, miolo macio. Fornada nova a cada duas horas.',
    },
    {
      id: 'bolo-de-fuba',
      nome: 'Bolo de fubá',
      preco: 32,
      descricao: 'Com goiabada, inteiro: dez fatias e uma boa conversa.',
    },
    {
      id: 'cesta',
      nome: 'Cesta de café',
      preco: 89,
      descricao: 'Para a manhã: pães, frutas, geleia e café coado. Entregamos no bairro até as 9h.',
    },
  ],
}
