import type { TipoLog } from '@balcao/contract/entities/log'
import { Bot, CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert, UserRound } from 'lucide-react'
import type { CSSProperties } from 'react'
import { LOG_TYPES } from '#features/logs/filters/log-filter.ts'

export const LOG_TYPE_ICON: Readonly<Record<TipoLog, LucideIcon>> = {
  info: Info,
  error: CircleAlert,
  success: CircleCheck,
  warning: TriangleAlert,
  bot: Bot,
  user: UserRound,
}

export function LogBadge({ tipo }: { tipo: TipoLog }) {
  const { nome, matiz } = LOG_TYPES[tipo]
  const Icon = LOG_TYPE_ICON[tipo]
  const style: CSSProperties & Record<'--h', number> = { '--h': matiz }
  return (
    <span className="chip" style={style}>
      <Icon aria-hidden size={13} />
      {nome}
    </span>
  )
}
