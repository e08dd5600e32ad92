import { NOME_DO_PLANO } from '@balcao/contract/constants'
import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import { Check, Minus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { formatDateTime, formatPhone } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Chip } from '#shared/ui/chip.tsx'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { useClearFactor } from './usuario-actions.ts'
import { PANEL_COMPONENTES, UsuarioUsage, UsuarioStatus } from './usuario-parts.tsx'

export interface ViewUsuarioProps {
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
            <Item nome="Bot">
              <Chip tone={usuario.botConectado ? 'verde' : 'cinza'} dot>
                {usuario.botConectado ? 'Conectado' : 'Desconectado'}
              </Chip>
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

/** For a lost phone. */
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
