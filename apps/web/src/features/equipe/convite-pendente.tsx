import type { Operador } from '@balcao/contract/entities/operador'
import { MailCheck, MailWarning, Send } from 'lucide-react'
import { useState } from 'react'
import { formatDate } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Chip } from '#shared/ui/chip.tsx'

function conviteVale({ conviteAte }: Operador): boolean {
  return conviteAte !== null && Date.parse(conviteAte) > Date.now()
}

/** Replaces the presence: an invited operador cannot log in before choosing a password. */
export function SituacaoDoConvite({ operador }: { operador: Operador }) {
  return conviteVale(operador) ? (
    <Chip tom="amarelo">
      <MailCheck size={14} aria-hidden /> Convite enviado
    </Chip>
  ) : (
    <Chip tom="vermelho">
      <MailWarning size={14} aria-hidden /> Convite vencido
    </Chip>
  )
}

export interface ConvitePendenteProps {
  readonly operador: Operador
  readonly onReenviar: () => Promise<void>
}

export function ConvitePendente({ operador, onReenviar }: ConvitePendenteProps) {
  const [enviando, setEnviando] = useState(false)
  const reenviar = (): void => {
    setEnviando(true)
    void onReenviar().finally(() => setEnviando(false))
  }
  const { conviteAte, nome } = operador
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 lg:col-span-2">
      <p className="text-sm text-muted">
        {conviteAte !== null && conviteVale(operador)
          ? `O link do e-mail vale até ${formatDate(conviteAte)}, uma única vez.`
          : 'O link do e-mail não abre mais. Reenvie o convite, ou defina a senha em Editar.'}
      </p>
      <Button
        className="min-h-11"
        ocupado={enviando}
        onClick={reenviar}
        aria-label={enviando ? undefined : `Reenviar convite para ${nome}`}
      >
        {!enviando && <Send size={16} aria-hidden />}
        {enviando ? 'Reenviando…' : 'Reenviar convite'}
      </Button>
    </div>
  )
}
