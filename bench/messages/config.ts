import { defaultConfig } from '@balcao/contract/defaults'
import type { Config } from '@balcao/contract/entities/config'

/** Each text contains the customer's name, so a reply in the wrong conversa is detected. */
export function benchConfig(): Config {
  const config = defaultConfig()
  return {
    ...config,
    whatsapp: { ...config.whatsapp, conector: 'simulador', clientId: 'bench' },
    menu: {
      ...config.menu,
      digitando: false,
      menuPrincipal:
        'Menu de {nome}. Escolha um número para continuar, por favor:\n1 - Horários\n2 - Endereço\n0 - Sair',
      opcoes: [
        {
          numero: '1',
          titulo: 'Horários',
          tipo: 'mensagem',
          resposta: '{nome}, abrimos de segunda a sexta, das 8h às 18h.',
        },
        {
          numero: '2',
          titulo: 'Endereço',
          tipo: 'mensagem',
          resposta: '{nome}, estamos na Rua das Flores, 123, Centro.',
        },
        { numero: '0', titulo: 'Sair', tipo: 'finalizar', resposta: '' },
      ],
      mensagens: {
        ...config.menu.mensagens,
        boasVindas: 'Olá, {nome}! Bem-vindo à nossa loja.',
        semEntender: 'Desculpe, {nome}, não entendi.',
        despedida: 'Até logo, {nome}!',
      },
    },
  }
}
