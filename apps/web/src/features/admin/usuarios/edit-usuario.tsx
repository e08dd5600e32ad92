import {
  LIMITE_LINHAS_MAXIMO,
  NOME_DO_PLANO,
  LIMITE_MENSAGENS_DIA_PADRAO,
  PLANOS,
  PRESET_DO_PLANO,
  type Componente,
  type Plano,
} from '@balcao/contract/constants'
import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import {
  limiteLinhasRoute,
  limiteMensagensRoute,
  permissoesUsuarioRoute,
  planoUsuarioRoute,
  resetContadorRoute,
} from '@balcao/contract/routes/admin-usuarios'
import { useQueryClient } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { changedFields } from '#shared/form/use-config-form.ts'
import { formatNumber } from '#shared/format.ts'
import { describeLimits, isPlanoApplied, limitsOfPlano } from '#shared/conta/plan-limits.ts'
import { Button } from '#shared/ui/button.tsx'
import { Chip } from '#shared/ui/chip.tsx'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { Notice } from '#shared/ui/notice.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { attempt } from './usuario-actions.ts'
import { PANEL_COMPONENTES, UsuarioUsage } from './usuario-parts.tsx'
import { storeUsuario } from '#features/admin/admin-queries.ts'
import { parseInteger } from '#features/admin/parse-integer.ts'

const LIMITE_MAX = 1_000_000_000

export function EditUsuario({ usuario, onClose }: { usuario: UsuarioAdmin | null; onClose: () => void }) {
  const cache = useQueryClient()
  const [resetting, setResetting] = useState(false)
  const receive = (changed: UsuarioAdmin): void => {
    storeUsuario(cache, changed)
    void cache.invalidateQueries({ queryKey: ['admin', 'uso', changed.id] })
  }
  const reset = async (): Promise<void> => {
    if (usuario === null) return
    await attempt('Erro ao resetar contador', async () => {
      receive((await call(resetContadorRoute, { params: { id: usuario.id } })).usuario)
      notify.sucesso('Contador de mensagens resetado com sucesso!')
    })
  }
  return (
    <>
      <Dialog
        open={usuario !== null}
        title={usuario === null ? '' : `Configurar ${usuario.nome}`}
        onClose={onClose}
        side
      >
        {usuario !== null && (
          <div className="grid gap-6">
            <UsuarioUsage id={usuario.id}>
              <Button className="mt-4 w-full" onClick={() => setResetting(true)}>
                <RotateCcw size={16} aria-hidden /> Resetar contador
              </Button>
            </UsuarioUsage>
            {usuario.tipo === 'admin' ? (
              <Notice tone="info" title="Administradores não têm limite">
                Eles usam todos os componentes e enviam quantas mensagens precisarem.
              </Notice>
            ) : (
              <EditUsuarioForm key={usuario.id} usuario={usuario} onChanged={receive} onClose={onClose} />
            )}
          </div>
        )}
      </Dialog>
      <ConfirmDialog
        open={resetting && usuario !== null}
        title={`Resetar o contador de ${usuario?.nome ?? ''}?`}
        confirmLabel="Resetar contador"
        onConfirm={reset}
        onClose={() => setResetting(false)}
      >
        As mensagens de hoje voltam a zero e o bot volta a responder, se tinha parado no limite. O total do mês continua
        como está.
      </ConfirmDialog>
    </>
  )
}

interface EditUsuarioFormProps {
  readonly usuario: UsuarioAdmin
  readonly onChanged: (usuario: UsuarioAdmin) => void
  readonly onClose: () => void
}

function useUsuarioLimits({ usuario, onChanged, onClose }: EditUsuarioFormProps) {
  const [saved, setSaved] = useState(usuario)
  const [limite, setLimite] = useState(String(usuario.limiteMensagensDia))
  const [limiteLinhas, setLimiteLinhas] = useState(String(usuario.limiteLinhas))
  const [componentes, setComponentes] = useState(usuario.componentesPermitidos)
  const [busy, setBusy] = useState<'salvar' | Plano | null>(null)
  const parsed = parseInteger(limite, LIMITE_MENSAGENS_DIA_PADRAO, LIMITE_MAX)
  const parsedLinhas = parseInteger(limiteLinhas, PRESET_DO_PLANO[usuario.plano].limiteLinhas, LIMITE_LINHAS_MAXIMO)
  const params = { id: usuario.id }

  const receive = (changed: UsuarioAdmin): void => {
    setSaved(changed)
    onChanged(changed)
  }
  const applyPlano = async (plano: Plano): Promise<void> => {
    setBusy(plano)
    await attempt('Erro ao salvar alterações', async () => {
      const changed = (await call(planoUsuarioRoute, { params, body: { plano } })).usuario
      receive(changed)
      setLimite(String(changed.limiteMensagensDia))
      setLimiteLinhas(String(changed.limiteLinhas))
      notify.sucesso(`Plano ${NOME_DO_PLANO[plano]} aplicado com sucesso!`)
    })
    setBusy(null)
  }
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (parsed === null || parsedLinhas === null) return
    setBusy('salvar')
    await attempt('Erro ao salvar alterações', async () => {
      if (parsed !== saved.limiteMensagensDia)
        receive((await call(limiteMensagensRoute, { params, body: { limiteMensagensDia: parsed } })).usuario)
      if (parsedLinhas !== saved.limiteLinhas)
        receive((await call(limiteLinhasRoute, { params, body: { limiteLinhas: parsedLinhas } })).usuario)
      // Sends only the changed switches, so that changes by another administrator are kept.
      const componentesPermitidos = changedFields<Partial<typeof componentes>>(
        componentes,
        usuario.componentesPermitidos,
      )
      if (Object.keys(componentesPermitidos).length > 0)
        receive((await call(permissoesUsuarioRoute, { params, body: { componentesPermitidos } })).usuario)
      notify.sucesso('Configurações do usuário atualizadas com sucesso!')
      onClose()
    })
    setBusy(null)
  }
  return {
    ...{ saved, limite, setLimite, limiteLinhas, setLimiteLinhas, componentes, setComponentes },
    ...{ busy, parsed, parsedLinhas, applyPlano, save },
  }
}

function EditUsuarioForm(props: EditUsuarioFormProps) {
  const form = useUsuarioLimits(props)
  const { saved, componentes, setComponentes, busy, parsed, parsedLinhas, applyPlano, save } = form
  return (
    <>
      <Planos usuario={saved} busy={busy} onApply={(plano) => void applyPlano(plano)} />
      <form noValidate onSubmit={(event) => void save(event)} className="grid gap-6">
        <LimitFields {...form} />
        <Permissions
          componentes={componentes}
          onChange={(id, enabled) => setComponentes({ ...componentes, [id]: enabled })}
        />
        <div className="sticky bottom-0 -mx-5 -mb-5 flex justify-end gap-2 border-t border-line bg-surface px-5 py-3">
          <Button size="touch" onClick={props.onClose}>
            Cancelar
          </Button>
          <Button
            type="submit"
            variant="primary"
            size="touch"
            busy={busy === 'salvar'}
            disabled={parsed === null || parsedLinhas === null || busy !== null}
          >
            {busy === 'salvar' ? 'Salvando…' : 'Salvar alterações'}
          </Button>
        </div>
      </form>
    </>
  )
}

function LimitFields(props: ReturnType<typeof useUsuarioLimits>) {
  const { limite, setLimite, limiteLinhas, setLimiteLinhas, parsed, parsedLinhas } = props
  return (
    <div className="grid gap-4">
      <TextField
        label="Limite diário de mensagens"
        type="number"
        min={1}
        inputMode="numeric"
        value={limite}
        placeholder={String(LIMITE_MENSAGENS_DIA_PADRAO)}
        hint={`Vale na hora. Vazio: ${formatNumber(LIMITE_MENSAGENS_DIA_PADRAO)}.`}
        error={parsed === null ? 'Informe um número inteiro, a partir de 1' : undefined}
        onChange={({ currentTarget }) => setLimite(currentTarget.value)}
        onBlur={() => parsed !== null && setLimite(String(parsed))}
      />
      <TextField
        label="Limite de linhas"
        type="number"
        min={1}
        max={LIMITE_LINHAS_MAXIMO}
        inputMode="numeric"
        value={limiteLinhas}
        hint="Números e chats no site. Baixar o limite não exclui linhas que já existem."
        error={parsedLinhas === null ? `Informe um número inteiro, de 1 a ${LIMITE_LINHAS_MAXIMO}` : undefined}
        onChange={({ currentTarget }) => setLimiteLinhas(currentTarget.value)}
        onBlur={() => parsedLinhas !== null && setLimiteLinhas(String(parsedLinhas))}
      />
    </div>
  )
}

interface PlanosProps {
  readonly usuario: UsuarioAdmin
  readonly busy: 'salvar' | Plano | null
  readonly onApply: (plano: Plano) => void
}

function Planos({
  usuario: { plano: current, limiteMensagensDia, limiteLinhas, recursos },
  busy,
  onApply,
}: PlanosProps) {
  const limits = { limiteDiario: limiteMensagensDia, limiteLinhas, ...recursos }
  const applied = isPlanoApplied(current, limits)
  return (
    <section aria-labelledby="plano">
      <h3 id="plano" className="mb-2 font-bold">
        Plano
      </h3>
      <p className="-mt-1 mb-2 text-sm text-muted">
        Os limites de um plano valem depois de aplicados. Esta conta tem agora: {describeLimits(limits)}.
      </p>
      <ul className="grid gap-2">
        {PLANOS.map((plano) => {
          const isCurrent = plano === current
          return (
            <li key={plano} className="flex items-center justify-between gap-3 rounded-xl border border-line p-3">
              <div className="min-w-0">
                <p className="flex flex-wrap items-center gap-2 font-semibold">
                  {NOME_DO_PLANO[plano]}
                  {isCurrent && (
                    <Chip tone={applied ? 'verde' : 'amarelo'}>{applied ? 'Atual' : 'Escolhido, falta aplicar'}</Chip>
                  )}
                </p>
                <p className="text-sm text-muted">{describeLimits(limitsOfPlano(plano))}</p>
              </div>
              <Button
                size="sm"
                className="min-h-10"
                aria-label={`Aplicar plano ${NOME_DO_PLANO[plano]}`}
                busy={busy === plano}
                disabled={busy !== null}
                onClick={() => onApply(plano)}
              >
                Aplicar
              </Button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

interface PermissionsProps {
  readonly componentes: UsuarioAdmin['componentesPermitidos']
  readonly onChange: (id: Componente, enabled: boolean) => void
}

function Permissions({ componentes, onChange }: PermissionsProps) {
  return (
    <fieldset>
      <legend className="mb-2 font-bold">Componentes permitidos</legend>
      <div className="grid gap-2">
        {PANEL_COMPONENTES.map(({ id, rotulo }) => (
          <Switch key={id} label={rotulo} on={componentes[id]} onChange={(enabled) => onChange(id, enabled)} />
        ))}
      </div>
    </fieldset>
  )
}
