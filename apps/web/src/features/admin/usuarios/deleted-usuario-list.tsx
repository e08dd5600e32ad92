import { EXCLUSAO_DIAS } from '@balcao/contract/administration'
import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { formatDate } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Notice } from '#shared/ui/notice.tsx'
import { useRestoreUsuario } from './usuario-actions.ts'
import { UsuarioContact, UsuarioIdentity } from './usuario-parts.tsx'

export function DeletedUsuarioList({ usuarios }: { usuarios: readonly UsuarioAdmin[] }) {
  return (
    <>
      <Notice tone="info" title={`Uma conta excluída pode voltar como era por ${EXCLUSAO_DIAS} dias`}>
        Depois, todos os dados e arquivos dela são apagados de vez, e só então o e-mail fica livre para outro cadastro.
      </Notice>
      <ul className="card divide-y divide-line">
        {usuarios.map((usuario) => (
          <DeletedUsuario key={usuario.id} usuario={usuario} />
        ))}
      </ul>
    </>
  )
}

function DeletedUsuario({ usuario }: { usuario: UsuarioAdmin }) {
  const restore = useRestoreUsuario()
  const [ocupado, setOcupado] = useState(false)
  const { nome, excluidoEm = '', apagaEm = '' } = usuario
  return (
    <li className="flex flex-wrap items-center gap-3 p-4">
      <div className="min-w-52 flex-1">
        <UsuarioIdentity usuario={usuario} />
      </div>
      <div className="min-w-52 flex-1">
        <UsuarioContact usuario={usuario} />
      </div>
      <p className="min-w-52 flex-1 text-sm">
        <span className="block text-muted">
          Excluído em <time dateTime={excluidoEm}>{formatDate(excluidoEm)}</time>
        </span>
        <span className="font-semibold text-danger-ink">
          Será apagado de vez em <time dateTime={apagaEm}>{formatDate(apagaEm)}</time>
        </span>
      </p>
      <Button
        className="min-h-11"
        busy={ocupado}
        aria-label={`Restaurar ${nome}`}
        onClick={() => {
          setOcupado(true)
          void restore(usuario).then((foi) => {
            setOcupado(false)
            // The pressed row was removed.
            if (foi) document.getElementById('conteudo')?.focus({ preventScroll: true })
          })
        }}
      >
        {!ocupado && <RotateCcw size={16} aria-hidden />} {ocupado ? 'Restaurando…' : 'Restaurar'}
      </Button>
    </li>
  )
}
