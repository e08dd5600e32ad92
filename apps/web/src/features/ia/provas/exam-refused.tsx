import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { formatNumber } from '#shared/format.ts'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import { TextField } from '#shared/ui/text-field.tsx'

interface ExamRefusedProps {
  /** Obligatory questions that fail or were not asked. */
  readonly count: number
  readonly onForce: (motivo: string) => Promise<void>
  readonly onClose: () => void
}

/** A refused save goes on with a reason, which the audit trail keeps. */
export function ExamRefused({ count, onForce, onClose }: ExamRefusedProps) {
  const navigate = useNavigate()
  const [motivo, setMotivo] = useState('')
  const reason = motivo.trim()
  return (
    <ConfirmDialog
      open
      title="A IA não passou na prova"
      confirmLabel="Salvar mesmo assim"
      cancelLabel="Continuar editando"
      ready={reason !== ''}
      alternatives={[
        {
          label: 'Ver as provas',
          onConfirm: () => navigate({ to: '/dashboard', search: { aba: 'ia', lista: 'provas' } }),
        },
      ]}
      onConfirm={() => onForce(reason)}
      onClose={onClose}
    >
      <p>
        {count === 1
          ? 'Uma pergunta obrigatória falha ou não foi feita com estas mudanças.'
          : `${formatNumber(count)} perguntas obrigatórias falham ou não foram feitas com estas mudanças.`}
      </p>
      <div className="mt-3 text-ink">
        <TextField
          label="Por que salvar mesmo assim"
          name="motivoProva"
          autoComplete="off"
          maxLength={200}
          hint="O motivo fica no registro da conta."
          value={motivo}
          onChange={({ currentTarget }) => setMotivo(currentTarget.value)}
        />
      </div>
    </ConfirmDialog>
  )
}
