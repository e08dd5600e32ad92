import { EXCLUSAO_DIAS } from '@balcao/contract/administracao'
import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import { useState, type FormEvent } from 'react'
import { formatDate } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { useExcluirUsuario } from './acoes.ts'

export interface ExcluirUsuarioProps {
  readonly usuario: UsuarioAdmin | null
  readonly onFechar: () => void
}

/** Deleting stops a whole business, so the administrator types the e-mail address to confirm. */
export function ExcluirUsuario({ usuario, onFechar }: ExcluirUsuarioProps) {
  return (
    <Dialog aberto={usuario !== null} titulo={usuario === null ? '' : `Excluir ${usuario.nome}?`} onFechar={onFechar}>
      {usuario !== null && <Pergunta key={usuario.id} usuario={usuario} onFechar={onFechar} />}
    </Dialog>
  )
}

function Pergunta({ usuario, onFechar }: { usuario: UsuarioAdmin; onFechar: () => void }) {
  const [escrito, setEscrito] = useState('')
  const [ocupado, setOcupado] = useState(false)
  const [apagaEm] = useState(() => Date.now() + EXCLUSAO_DIAS * 86_400_000)
  const excluir = useExcluirUsuario()
  const confere = escrito.trim().toLowerCase() === usuario.email.toLowerCase()
  const confirmar = async (evento: FormEvent): Promise<void> => {
    evento.preventDefault()
    if (!confere || ocupado) return
    setOcupado(true)
    const foi = await excluir(usuario)
    setOcupado(false)
    if (!foi) return
    onFechar()
    // The row that opened the dialog was removed.
    document.getElementById('conteudo')?.focus({ preventScroll: true })
  }
  return (
    <form noValidate onSubmit={(evento) => void confirmar(evento)} className="grid gap-4">
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
        rotulo={
          <>
            Para confirmar, digite <span className="break-all text-danger-ink">{usuario.email}</span>
          </>
        }
        type="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={escrito}
        onChange={({ currentTarget }) => setEscrito(currentTarget.value)}
      />
      <div className="flex flex-wrap justify-end gap-2">
        <Button className="min-h-11" onClick={onFechar}>
          Voltar
        </Button>
        <Button type="submit" variante="danger" className="min-h-11" disabled={!confere} ocupado={ocupado}>
          {ocupado ? 'Excluindo…' : 'Excluir usuário'}
        </Button>
      </div>
    </form>
  )
}
