import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { CHAVES } from '#shared/dados/chaves.ts'
import { useUsuario } from '#shared/session.tsx'
import { onEvento } from '#shared/socket.ts'
import { avisarChegada } from './avisar-chegada.ts'
import { lerPreferencias } from './preferencias.ts'
import { tocar } from './som.ts'
import { souQuemAvisa } from './uma-so-janela.ts'
import { esquecerVista } from './vistos.ts'

const TOTAIS_APOS_MS = 1_000
const REPETIR_A_CADA_MS = 30_000

/** Refetches the setor totals and the menu badge, once per burst of events. */
function useTotaisEmDia(): void {
  const cliente = useQueryClient()
  useEffect(() => {
    let espera: ReturnType<typeof setTimeout> | undefined
    const parar = onEvento(({ evento, dados }) => {
      if (evento === 'mensagemConversaHumana') {
        // After an operador's reply the server counts unread mensagens from zero.
        if (dados.mensagem.origem === 'operador') esquecerVista(dados.conversaId)
        return
      }
      if (!/conversa/i.test(evento) || evento === 'botConversaAtiva') return
      espera ??= setTimeout(() => {
        espera = undefined
        void cliente.invalidateQueries({ queryKey: CHAVES.atendimento })
      }, TOTAIS_APOS_MS)
    })
    return () => {
      parar()
      clearTimeout(espera)
    }
  }, [cliente])
}

function useSinais(aguardando: number): void {
  useEffect(() => {
    const icone = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    icone?.setAttribute('href', aguardando > 0 ? '/icon-aviso.svg' : '/icon.svg')
    if (!('setAppBadge' in navigator)) return
    void navigator.setAppBadge(aguardando).catch(() => undefined)
  }, [aguardando])
  // Outside the panel the count is not updated: reset icon and badge.
  useEffect(
    () => () => {
      document.querySelector('link[rel=icon]')?.setAttribute('href', '/icon.svg')
      if ('clearAppBadge' in navigator) void navigator.clearAppBadge().catch(() => undefined)
    },
    [],
  )
}

function useRepetir(aguardando: number): void {
  const alguem = aguardando > 0
  useEffect(() => {
    if (!alguem) return
    const sempre = setInterval(() => {
      const { nivel, som, volume, repetir } = lerPreferencias()
      if (nivel === 'nada' || !som || !repetir) return
      void souQuemAvisa('repetir').then((eu) => eu && tocar(volume))
    }, REPETIR_A_CADA_MS)
    return () => clearInterval(sempre)
  }, [alguem])
}

export function Plantao({ aguardando }: { aguardando: number }) {
  const usuario = useUsuario()
  const cliente = useQueryClient()
  const navigate = useNavigate()
  const { aba, c } = useSearch({ strict: false })
  useTotaisEmDia()
  useSinais(aguardando)
  useRepetir(aguardando)
  const quem = useEffectEvent(() => ({
    cliente,
    usuario,
    abertaId: aba === 'atendimento' || usuario.tipo === 'operador' ? c : undefined,
    abrir: (id: string) => void navigate({ to: '/dashboard', search: { aba: 'atendimento', c: id } }),
  }))
  const { contaId } = usuario
  useEffect(
    () =>
      onEvento((recebido) => {
        if (recebido.dados.userId === contaId) void avisarChegada(recebido, quem())
      }),
    [contaId],
  )
  return null
}
