import { EXCLUSAO_DIAS } from '@balcao/contract/administration'
import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import { useState, type FormEvent } from 'react'
import { formatDate } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { useDeleteUsuario } from './usuario-actions.ts'

export interface DeleteUsuarioProps {
  readonly usuario: UsuarioAdmin | null
  readonly onClose: () => void
}

/** Deleting stops a whole business, so the administrator types the e-mail address to confirm. */
export function DeleteUsuario({ usuario, onClose }: DeleteUsuarioProps) {
  return (
    <Dialog open={usuario !== null} title={usuario === null ? '' : `Excluir ${usuario.nome}?`} onClose={onClose}>
      {usuario !== null && <DeleteQuestion key={usuario.id} usuario={usuario} onClose={onClose} />}
    </Dialog>
  )
}

function DeleteQuestion({ usuario, onClose }: { usuario: UsuarioAdmin; onClose: () => void }) {
  const [written, setWritten] = useState('')
  const [busy, setBusy] = useState(false)
  const [apagaEm] = useState(() => Date.now() + EXCLUSAO_DIAS * 86_400_000)
  const remove = useDeleteUsuario()
  const matches = written.trim().toLowerCase() === usuario.email.toLowerCase()
  const confirm = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (!matches || busy) return
    setBusy(true)
    const done = await remove(usuario)
    setBusy(false)
    if (!done) return
    onClose()
    // The row that opened the dialog was removed.
    document.getElementById('conteudo')?.focus({ preventScroll: true })
  }
  return (
    <form noValidate onSubmit={(event) => void confirm(event)} className="grid gap-4">
      <div className="grid gap-2 text-muted">
        <p>O bot para na hora e ninguém da conta entra mais.</p>
        <p>
          Por {EXCLUSAO_DIAS} dias ela pode voltar como era, em Usuários › Excluídos. Em{' '}
          <strong className="text-ink">{formatDate(apagaEm)}</strong> todos os dados e arquivos são apagados de vez, e
          só então o e-mail fica livre.
        </p>
      </div>
      <TextField
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog's one field
        autoFocus
        label={
          <>
            Para confirmar, digite <span className="break-all text-danger-ink">{usuario.email}</span>
          </>
        }
        type="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={written}
        onChange={({ currentTarget }) => setWritten(currentTarget.value)}
      />
      <div className="flex flex-wrap justify-end gap-2">
        <Button className="min-h-11" onClick={onClose}>
          Voltar
        </Button>
        <Button type="submit" variant="danger" className="min-h-11" disabled={!matches} busy={busy}>
          {busy ? 'Excluindo…' : 'Excluir usuário'}
        </Button>
      </div>
    </form>
  )
}
