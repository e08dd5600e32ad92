import type { BotStatus } from '@balcao/contract/entities/bot-status'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { avisar } from '#shared/avisos.ts'
import { iniciarBot, limparSessao } from '#shared/dados/acoes-bot.ts'
import { atualizarBotStatus } from '#shared/dados/bot-status.ts'
import type { ConfigLida } from '#shared/dados/config.ts'
import { mensagemDe } from '#shared/dados/erro.ts'

export type AcaoRapida = 'setup' | 'limpar' | 'recarregar' | 'verificar'

/** What is running now, and how far the setup went. */
export interface EmCurso {
  readonly acao: AcaoRapida
  readonly passo?: string
}

export interface AcoesRapidas {
  readonly emCurso: EmCurso | null
  readonly setupRapido: () => Promise<void>
  readonly limpar: () => Promise<void>
  readonly recarregar: () => Promise<void>
  readonly verificar: () => Promise<void>
}

interface Entrada {
  readonly config: ConfigLida
  readonly bot: BotStatus
  /** Opens the tab where the Client ID is. */
  readonly irParaGeral: () => void
}

/** The side menu's quick actions (spec §2, §8 "Dashboard"); one at a time. */
export function useAcoesRapidas({ config, bot, irParaGeral }: Entrada): AcoesRapidas {
  const cliente = useQueryClient()
  const [emCurso, setEmCurso] = useState<EmCurso | null>(null)

  async function executar(acao: AcaoRapida, fazer: () => Promise<void>): Promise<void> {
    if (emCurso !== null) return
    setEmCurso({ acao })
    await fazer()
    setEmCurso(null)
  }

  async function setup(): Promise<void> {
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
      setEmCurso({ acao: 'setup', passo: '1/3 Conferindo…' })
      await config.recarregar()
      setEmCurso({ acao: 'setup', passo: '2/3 Iniciando…' })
      await iniciarBot(cliente)
      setEmCurso({ acao: 'setup', passo: '3/3 Verificando…' })
      await atualizarBotStatus(cliente)
      avisar.sucesso('Bot iniciado! Configuração rápida concluída!')
    } catch (erro) {
      avisar.erro(`Erro na configuração rápida: ${mensagemDe(erro)}`)
    }
  }

  async function limpar(): Promise<void> {
    try {
      await limparSessao(cliente, bot)
      avisar.sucesso('Sessão limpa! Inicie o bot novamente para gerar novo QR Code.')
    } catch (erro) {
      avisar.erro(`Erro ao limpar sessão: ${mensagemDe(erro)}`)
    }
  }

  async function recarregar(): Promise<void> {
    try {
      await config.recarregar()
      avisar.sucesso('Configurações recarregadas!')
    } catch (erro) {
      avisar.erro(`Erro ao recarregar configurações: ${mensagemDe(erro)}`)
    }
  }

  async function verificar(): Promise<void> {
    try {
      await atualizarBotStatus(cliente)
      avisar.sucesso('Status do bot verificado!')
    } catch {
      avisar.erro('Erro ao verificar status do bot')
    }
  }

  return {
    emCurso,
    setupRapido: () => executar('setup', setup),
    limpar: () => executar('limpar', limpar),
    recarregar: () => executar('recarregar', recarregar),
    verificar: () => executar('verificar', verificar),
  }
}
