import { useState, type FormEvent } from 'react'
import { errorMessage } from '#shared/data/error-message.ts'
import { formatPhone } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { useEraseTitular } from './lgpd-queries.ts'

export interface EraseCustomerProps {
  readonly open: boolean
  readonly nome: string
  /** Empty when the service hides it. */
  readonly telefone: string
  readonly searched: string
  readonly onClose: () => void
  readonly onErased: () => void
}

/** Erasure cannot be undone, so the user types the number again. */
export function EraseCustomer({ open, nome, onClose, ...rest }: EraseCustomerProps) {
  return (
    <Dialog
      open={open}
      title={nome === '' ? 'Apagar os dados deste cliente?' : `Apagar os dados de ${nome}?`}
      onClose={onClose}
    >
      <EraseQuestion onClose={onClose} {...rest} />
    </Dialog>
  )
}

const onlyDigits = (written: string): string => written.replace(/\D/g, '')

/** Accepts the number with or without country code 55, in any format. A hidden number must match the search exactly. */
function isSameNumber(written: string, telefone: string, wanted: string): boolean {
  if (telefone === '') return written.trim() === wanted
  const digits = onlyDigits(written)
  return digits === telefone || `55${digits}` === telefone
}

function EraseQuestion({ telefone, searched, onClose, onErased }: Omit<EraseCustomerProps, 'open' | 'nome'>) {
  const [written, setEscrito] = useState('')
  const remove = useEraseTitular()
  const confere = isSameNumber(written, telefone, searched)

  async function confirm(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (!confere || remove.isPending) return
    try {
      await remove.mutateAsync(searched)
    } catch {
      return
    }
    onClose()
    onErased()
  }

  return (
    <form noValidate onSubmit={(event) => void confirm(event)} className="grid gap-4">
      <p className="text-muted">
        Saem as conversas, os arquivos, as avaliações e o que a IA guardou, aqui e nas cópias que forem restauradas. Uma
        conversa aberta termina na hora. <strong className="text-ink">Não dá para desfazer.</strong> O celular da
        empresa não é alterado: apague a conversa nele também.
      </p>
      <TextField
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog's one field
        autoFocus
        label={
          <>
            Para confirmar, digite{' '}
            <span className="break-all text-danger-ink">{telefone === '' ? searched : formatPhone(telefone)}</span>
          </>
        }
        inputMode="tel"
        autoComplete="off"
        value={written}
        onChange={({ currentTarget }) => setEscrito(currentTarget.value)}
      />
      {remove.error !== null && (
        <p role="alert" className="font-semibold text-danger-ink">
          {errorMessage(remove.error)}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button className="min-h-11" onClick={onClose}>
          Voltar
        </Button>
        <Button type="submit" variant="danger" className="min-h-11" disabled={!confere} busy={remove.isPending}>
          {remove.isPending ? 'Apagando…' : 'Apagar para sempre'}
        </Button>
      </div>
    </form>
  )
}
