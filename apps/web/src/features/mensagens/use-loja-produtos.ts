import type { BotContext } from '@balcao/engine/context'
import { useMemo } from 'react'
import { toLojaProduto, useProdutos } from '#shared/data/produtos.ts'
import { useUsageStats } from '#shared/data/use-usage-stats.ts'
import { useUsuario } from '#shared/session.tsx'

/** The catalogue as the bot shows it. Undefined while it loads, and without the permission. */
export function useLojaProdutos(): BotContext['produtos'] | undefined {
  const usuario = useUsuario()
  const { data: { componentesPermitidos } = usuario } = useUsageStats()
  const { data } = useProdutos(usuario.tipo === 'admin' || componentesPermitidos.lojaWhatsapp)
  return useMemo(() => data?.filter(({ ativo }) => ativo).map(toLojaProduto), [data])
}
