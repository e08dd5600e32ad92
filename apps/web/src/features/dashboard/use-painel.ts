import type { Aba } from '@balcao/contract/constants'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { avisar } from '#shared/avisos.ts'
import { useAguardando } from '#shared/dados/aguardando.ts'
import { useBotStatus } from '#shared/dados/bot-status.ts'
import { useConfig } from '#shared/dados/config.ts'
import { useEstatisticas } from '#shared/dados/estatisticas.ts'
import { useSessao, useUsuario } from '#shared/session.tsx'
import { useEstadoSocket } from '#shared/socket.ts'
import { TEXTOS } from '#shared/textos.ts'
import { podeVer, type QuemOlha } from './abas.ts'
import { useAcoesRapidas } from './acoes-rapidas.ts'
import type { Painel } from './painel.ts'

export interface PainelComDialogo {
  readonly painel: Painel
  readonly limpeza: { readonly aberta: boolean; readonly fechar: () => void }
}

export function usePainel(aba: Aba): PainelComDialogo {
  const usuario = useUsuario()
  const { logout } = useSessao()
  const navigate = useNavigate()
  const bot = useBotStatus()
  const config = useConfig()
  const socket = useEstadoSocket()
  const { data: estatisticas, isError } = useEstatisticas()
  const [limpezaAberta, setLimpezaAberta] = useState(false)
  const irParaGeral = () => void navigate({ to: '/dashboard', search: { aba: 'geral' } })
  const acoes = useAcoesRapidas({ config, bot: bot.bot, irParaGeral })

  // Permissions of the session are the fallback when the request fails.
  // For operadores they apply immediately, so the tabs of the dono never flash.
  const daSessao = isError || usuario.tipo === 'operador' ? usuario.componentesPermitidos : null
  const componentes = estatisticas?.componentesPermitidos ?? daSessao
  const quem: QuemOlha = { tipo: usuario.tipo, componentes }
  const limite = estatisticas?.limiteDiario ?? null
  const aguardando = useAguardando(componentes !== null && podeVer(quem, 'atendimento'))

  async function sair(): Promise<void> {
    logout()
    avisar.sucesso(TEXTOS.logout)
    await navigate({ to: '/login' })
  }

  return {
    painel: {
      usuario,
      quem,
      aba,
      bot,
      config,
      socket,
      uso:
        usuario.tipo === 'admin' || estatisticas === undefined || limite === null
          ? null
          : { usado: estatisticas.estatisticas.mensagensHoje, limite },
      aguardando,
      acoes,
      pedirLimpeza: () => setLimpezaAberta(true),
      sair: () => void sair(),
      temSimulador: config.config.whatsapp.conector === 'simulador' && podeVer(quem, 'geral'),
    },
    limpeza: { aberta: limpezaAberta, fechar: () => setLimpezaAberta(false) },
  }
}
