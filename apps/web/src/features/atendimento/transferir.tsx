import type { Setor } from '@balcao/contract/entities/config'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { ChevronRight } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Dialog } from '#shared/ui/dialog.tsx'
import { SetorDot } from './setores/setor-chip.tsx'

export interface TransferDialogProps {
  readonly conversa: Conversa
  readonly setores: readonly Setor[]
  readonly onChoose: (setor: Setor) => void
  readonly onClose: () => void
}

/** The conversa waits in the other setor and keeps its waiting time. The notice offers an undo. */
export function TransferDialog({ conversa, setores, onChoose, onClose }: TransferDialogProps) {
  // Focus on the first setor instead of the close button, so that Enter transfers.
  const first = useRef<HTMLButtonElement>(null)
  useEffect(() => first.current?.focus(), [])
  const destinations = setores.filter(({ id, ativo }) => ativo && id !== conversa.setor)
  return (
    <Dialog open title={`Transferir ${conversa.cliente.nome}`} onClose={onClose}>
      {destinations.length === 0 ? (
        <p className="text-muted">Não há outro setor ativo. Crie um nas configurações dos setores.</p>
      ) : (
        <>
          <p className="mb-3 text-muted">
            A conversa volta a aguardar no setor escolhido, sem perder o lugar na espera.
          </p>
          <ul className="grid gap-1.5">
            {destinations.map((setor, index) => (
              <li key={setor.id}>
                <button
                  ref={index === 0 ? first : undefined}
                  type="button"
                  onClick={() => onChoose(setor)}
                  className="flex min-h-12 w-full items-center gap-3 rounded-xl border px-3 text-left font-semibold hover:bg-sunken"
                >
                  <SetorDot cor={setor.cor} className="size-3" />
                  <span className="min-w-0 flex-1 truncate">{setor.nome}</span>
                  <ChevronRight size={18} aria-hidden className="text-muted" />
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  )
}
