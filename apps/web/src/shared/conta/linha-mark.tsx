import { hasNumber } from '@balcao/contract/connectors'
import clsx from 'clsx'
import { Globe, Smartphone } from 'lucide-react'
import { hueStyle } from '#shared/ui/setor-chip.tsx'
import type { LinhaLook } from './linha-look.ts'

interface LinhaMarkProps {
  readonly linha: LinhaLook
  /** The text before it already says that it is a line. */
  readonly named?: boolean
  readonly className?: string
}

const COLOR = 'oklch(var(--chip-tl) var(--tc, var(--chip-tc)) var(--h))'

/** A phone or a globe in the colour of the line, with its name. A setor has a dot and an etiqueta is angular. */
export function LinhaMark({ linha: { nome, conector, cor = 'gray' }, named = false, className }: LinhaMarkProps) {
  const site = !hasNumber(conector)
  const Icon = site ? Globe : Smartphone
  return (
    <span title={nome} className={clsx('inline-flex min-w-0 items-center gap-1', className)}>
      <Icon aria-hidden style={{ ...hueStyle(cor), color: COLOR }} className="size-3.5 flex-none" />
      {!named && <span className="sr-only">{site ? 'Linha do chat no site: ' : 'Linha: '}</span>}
      <span className="truncate">{nome}</span>
    </span>
  )
}
