import { REABRIR_DIAS } from '@balcao/contract/constants'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { RotateCcw } from 'lucide-react'
import { useNow } from '#features/atendimento/lista/waiting-time.ts'
import { Button } from '#shared/ui/button.tsx'

interface ReopenButtonProps {
  readonly conversa: Conversa
  readonly busy: boolean
  readonly onReopen: (conversa: Conversa) => Promise<void>
}

/** Shown for 7 days after the end. Later a new conversa is needed. */
export function ReopenButton({ conversa, busy, onReopen }: ReopenButtonProps) {
  const { status, finalizadaEm } = conversa
  const now = useNow()
  if (status !== 'finalizada' || finalizadaEm === undefined) return null
  if (now - Date.parse(finalizadaEm) > REABRIR_DIAS * 24 * 3_600_000) return null
  return (
    <Button
      variant="primary"
      className="max-lg:min-h-11 max-lg:flex-1"
      busy={busy}
      onClick={() => void onReopen(conversa)}
    >
      {!busy && <RotateCcw size={18} aria-hidden />} Reabrir
    </Button>
  )
}
