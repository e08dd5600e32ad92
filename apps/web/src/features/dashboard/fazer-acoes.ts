import type { BotStatus } from '@balcao/contract/entities/bot-status'
import type { QueryClient } from '@tanstack/react-query'
import { avisar } from '#shared/avisos.ts'
import { iniciarBot, limparSessao } from '#shared/dados/acoes-bot.ts'
import { atualizarBotStatus } from '#shared/dados/bot-status.ts'
import type { ConfigLida } from '#shared/dados/config.ts'
import { mensagemDe } from '#shared/dados/erro.ts'

export interface Meios {
  readonly cliente: QueryClient
  readonly config: ConfigLida
  readonly bot: BotStatus
  readonly irParaGeral: () => void
  readonly passo: (texto: string) => void
}

export async function setup({ cliente, config, irParaGeral, passo }: Meios): Promise<void> {
  if (config.carregando || config.origem !== 'servidor') {
    avisar.erro('Aguarde as configurações serem carregadas!')
    return
  }
  if (config.config.whatsapp.clientId.trim() === '') {
    avisar.erro('Configure o Client ID primeiro na aba Configurações Gerais!')
    irParaGeral()
    return
  }
  try {
    passo('1/3 Conferindo…')
    await config.recarregar()
    passo('2/3 Iniciando…')
    await iniciarBot(cliente)
    passo('3/3 Verificando…')
    await atualizarBotStatus(cliente)
    avisar.sucesso('Bot iniciado! Configuração rápida concluída!')
  } catch (erro) {
    avisar.erro(`Erro na configuração rápida: ${mensagemDe(erro)}`)
  }
}

export async function limpar({ cliente, bot }: Meios): Promise<void> {
  try {
    await limparSessao(cliente, bot)
    avisar.sucesso('Sessão limpa! Inicie o bot novamente para gerar novo QR Code.')
  } catch (erro) {
    avisar.erro(`Erro ao limpar sessão: ${mensagemDe(erro)}`)
  }
}

export async function recarregar({ config }: Meios): Promise<void> {
  try {
    await config.recarregar()
    avisar.sucesso('Configurações recarregadas!')
  } catch (erro) {
    avisar.erro(`Erro ao recarregar configurações: ${mensagemDe(erro)}`)
  }
}

export async function verificar({ cliente }: Meios): Promise<void> {
  try {
    await atualizarBotStatus(cliente)
    avisar.sucesso('Status do bot verificado!')
  } catch {
    avisar.erro('Erro ao verificar status do bot')
  }
}
