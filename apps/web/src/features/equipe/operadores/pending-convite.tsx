import type { Operador } from '@balcao/contract/entities/operador'
import { MailCheck, MailWarning, Send } from 'lucide-react'
import { useState } from 'react'
import { formatDate } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Chip } from '#shared/ui/chip.tsx'

function isConviteValid({ conviteAte }: Operador): boolean {
  return conviteAte !== null && Date.parse(conviteAte) > Date.now()
}

/** Replaces the presence: an invited operador cannot log in before choosing a password. */
export function ConviteStatus({ operador }: { operador: Operador }) {
  return isConviteValid(operador) ? (
    <Chip tone="amarelo">
      <MailCheck size={14} aria-hidden /> Convite enviado
    </Chip>
  ) : (
    <Chip tone="vermelho">
      <MailWarning size={14} aria-hidden /> Convite vencido
    </Chip>
  )
}

export interface PendingConviteProps {
  readonly operador: Operador
  readonly onResend: () => Promise<void>
}

export function PendingConvite({ operador, onResend }: PendingConviteProps) {
  const [sending, setEnviando] = useState(false)
  const resend = (): void => {
    setEnviando(true)
    void onResend().finally(() => setEnviando(false))
  }
  const { conviteAte, nome } = operador
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 lg:col-span-2">
      <p className="text-sm text-muted">
        {conviteAte !== null && isConviteValid(operador)
          ? `O link do e-mail vale até ${formatDate(conviteAte)}, uma única vez.`
          : 'O link do e-mail não abre mais. Reenvie o convite, ou defina a senha em Editar.'}
      </p>
      <Button
        className="min-h-11"
        busy={sending}
        onClick={resend}
        aria-label={sending ? undefined : `Reenviar convite para ${nome}`}
      >
        {!sending && <Send size={16} aria-hidden />}
        {sending ? 'Reenviando…' : 'Reenviar convite'}
      </Button>
    </div>
  )
}
