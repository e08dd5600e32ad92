import type { TipoLog } from '@balcao/contract/entities/log'
import { Bot, CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert, UserRound } from 'lucide-react'
import type { CSSProperties } from 'react'
import { TIPOS } from './filtro.ts'

export const ICONE_DO_TIPO: Readonly<Record<TipoLog, LucideIcon>> = {
  info: Info,
  error: CircleAlert,
  success: CircleCheck,
  warning: TriangleAlert,
  bot: Bot,
  user: UserRound,
}

export function Selo({ tipo }: { tipo: TipoLog }) {
  const { nome, matiz } = TIPOS[tipo]
  const Icone = ICONE_DO_TIPO[tipo]
  const estilo: CSSProperties & Record<'--h', number> = { '--h': matiz }
  return (
    <span className="chip" style={estilo}>
      <Icone aria-hidden size={13} />
      {nome}
    </span>
  )
}
