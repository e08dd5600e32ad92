import { NOME_DO_PLANO } from '@balcao/contract/constants'
import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import { Check, Minus } from 'lucide-react'
import { type ReactNode, useState, type FormEvent } from 'react'
import { formatDateTime, formatPhone, formatDate } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { useClearFactor, useDeleteUsuario } from './usuario-actions.ts'
import { BotConnection, PANEL_COMPONENTES, UsuarioUsage, UsuarioStatus } from './usuario-parts.tsx'
import { EXCLUSAO_DIAS } from '@balcao/contract/administration'
import { TextField } from '#shared/ui/text-field.tsx'

interface ViewUsuarioProps {
  readonly usuario: UsuarioAdmin | null
  readonly onClose: () => void
  readonly onConfigure: (usuario: UsuarioAdmin) => void
}

/** Account data only: the administrator never reads messages. */
export function ViewUsuario({ usuario, onClose, onConfigure }: ViewUsuarioProps) {
  return (
    <Dialog open={usuario !== null} title={usuario?.nome ?? ''} onClose={onClose} side>
      {usuario !== null && (
        <div className="grid gap-6">
          <dl className="divide-y divide-line border-y border-line">
            <Item nome="Status">
              <UsuarioStatus usuario={usuario} />
            </Item>
            <Item nome="Tipo">{usuario.tipo === 'admin' ? 'Administrador' : 'Usuário'}</Item>
            <Item nome="Plano">{NOME_DO_PLANO[usuario.plano]}</Item>
            {usuario.planoDesejado !== undefined && (
              <Item nome="Plano pedido">{NOME_DO_PLANO[usuario.planoDesejado]}</Item>
            )}
            <Item nome="Duas etapas">{usuario.segundoFator ? 'Ligada' : 'Desligada'}</Item>
            <Item nome="E-mail">{usuario.email}</Item>
            <Item nome="Telefone">{usuario.telefone === '' ? '—' : formatPhone(usuario.telefone)}</Item>
            <Item nome="Empresa">{usuario.empresa === '' ? '—' : usuario.empresa}</Item>
            <Item nome="Cadastro">{formatDateTime(usuario.dataCriacao)}</Item>
            <Item nome="Conexão">{usuario.conexao === '' ? '—' : usuario.conexao}</Item>
            {usuario.tipo !== 'admin' && <Item nome="Limite de linhas">{usuario.limiteLinhas}</Item>}
            <Item nome="Bot">
              <BotConnection usuario={usuario} />
            </Item>
          </dl>
          <UsuarioUsage id={usuario.id} />
          <section aria-labelledby="pode-usar">
            <h3 id="pode-usar" className="mb-2 font-bold">
              Pode usar
            </h3>
            <ul className="grid gap-1.5">
              {PANEL_COMPONENTES.map(({ id, rotulo }) => {
                const allowed = usuario.tipo === 'admin' || usuario.componentesPermitidos[id]
                return (
                  <li key={id} className={`flex items-center gap-2 ${allowed ? '' : 'text-muted'}`}>
                    {allowed ? <Check size={18} aria-hidden className="text-brand" /> : <Minus size={18} aria-hidden />}
                    {rotulo}
                    {!allowed && <span className="sr-only">: sem permissão</span>}
                  </li>
                )
              })}
            </ul>
          </section>
          <Button className="min-h-11" onClick={() => onConfigure(usuario)}>
            Configurar
          </Button>
          <ClearFactor usuario={usuario} onDone={onClose} />
        </div>
      )}
    </Dialog>
  )
}

function ClearFactor({ usuario, onDone }: { usuario: UsuarioAdmin; onDone: () => void }) {
  const [asking, setAsking] = useState(false)
  const clear = useClearFactor()
  if (!usuario.segundoFator) return null
  return (
    <>
      <Button className="min-h-11" onClick={() => setAsking(true)}>
        Remover segundo fator
      </Button>
      <ConfirmDialog
        open={asking}
        title={`Remover o segundo fator de ${usuario.nome}?`}
        confirmLabel="Remover"
        onConfirm={async () => {
          if (await clear(usuario)) onDone()
        }}
        onClose={() => setAsking(false)}
      >
        Use se a pessoa perdeu o celular. O aplicativo, as chaves de acesso e os códigos deixam de valer, e ela sai do
        painel.
      </ConfirmDialog>
    </>
  )
}

function Item({ nome, children }: { nome: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4 py-2">
      <dt className="flex-none text-muted">{nome}</dt>
      <dd className="min-w-0 text-right font-semibold break-words">{children}</dd>
    </div>
  )
}

/** Deleting stops a whole business, so the administrator types the e-mail address to confirm. */
export function DeleteUsuario({ usuario, onClose }: { usuario: UsuarioAdmin | null; onClose: () => void }) {
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
