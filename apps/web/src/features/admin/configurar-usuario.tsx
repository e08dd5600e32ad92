import {
  LIMITE_MENSAGENS_DIA_PADRAO,
  PLANOS,
  PRESET_DO_PLANO,
  type Componente,
  type Plano,
} from '@balcao/contract/constants'
import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import {
  limiteMensagensRoute,
  permissoesUsuarioRoute,
  planoUsuarioRoute,
  resetContadorRoute,
} from '@balcao/contract/routes/admin-usuarios'
import { useQueryClient } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { call } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { formatNumber } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Chip } from '#shared/ui/chip.tsx'
import { Confirmar } from '#shared/ui/confirmar.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { Recado } from '#shared/ui/recado.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { avisarErro } from './acoes.ts'
import { COMPONENTES_DO_PAINEL } from './componentes.ts'
import { guardarUsuario } from './dados.ts'
import { lerInteiro } from './numero.ts'
import { UsoDoUsuario } from './uso-do-usuario.tsx'
import { ROTULO_DO_PLANO } from './usuario-na-lista.tsx'

const LIMITE_MAXIMO = 1_000_000_000

export interface ConfigurarUsuarioProps {
  readonly usuario: UsuarioAdmin | null
  readonly onFechar: () => void
}

export function ConfigurarUsuario({ usuario, onFechar }: ConfigurarUsuarioProps) {
  const cache = useQueryClient()
  const [zerando, setZerando] = useState(false)
  const receber = (alterado: UsuarioAdmin): void => {
    guardarUsuario(cache, alterado)
    void cache.invalidateQueries({ queryKey: ['admin', 'uso', alterado.id] })
  }
  const zerar = async (): Promise<void> => {
    if (usuario === null) return
    try {
      receber((await call(resetContadorRoute, { params: { id: usuario.id } })).usuario)
      avisar.sucesso('Contador de mensagens resetado com sucesso!')
    } catch (erro) {
      avisarErro('Erro ao resetar contador', erro)
    }
  }
  return (
    <>
      <Dialog
        aberto={usuario !== null}
        titulo={usuario === null ? '' : `Configurar ${usuario.nome}`}
        onFechar={onFechar}
        lateral
      >
        {usuario !== null && (
          <div className="grid gap-6">
            <UsoDoUsuario id={usuario.id}>
              <Button className="mt-4 w-full" onClick={() => setZerando(true)}>
                <RotateCcw size={16} aria-hidden /> Resetar contador
              </Button>
            </UsoDoUsuario>
            {usuario.tipo === 'admin' ? (
              <Recado tom="info" titulo="Administradores não têm limite">
                Eles usam todos os componentes e enviam quantas mensagens precisarem.
              </Recado>
            ) : (
              <Formulario key={usuario.id} usuario={usuario} onAlterado={receber} onFechar={onFechar} />
            )}
          </div>
        )}
      </Dialog>
      <Confirmar
        aberto={zerando && usuario !== null}
        titulo={`Resetar o contador de ${usuario?.nome ?? ''}?`}
        confirmar="Resetar contador"
        onConfirmar={zerar}
        onFechar={() => setZerando(false)}
      >
        As mensagens de hoje voltam a zero e o bot volta a responder, se tinha parado no limite. O total do mês continua
        como está.
      </Confirmar>
    </>
  )
}

interface FormularioProps {
  readonly usuario: UsuarioAdmin
  readonly onAlterado: (usuario: UsuarioAdmin) => void
  readonly onFechar: () => void
}

function Formulario({ usuario, onAlterado, onFechar }: FormularioProps) {
  const [salvo, setSalvo] = useState(usuario)
  const [limite, setLimite] = useState(String(usuario.limiteMensagensDia))
  const [componentes, setComponentes] = useState(usuario.componentesPermitidos)
  const [ocupado, setOcupado] = useState<'salvar' | Plano | null>(null)
  const lido = lerInteiro(limite, LIMITE_MENSAGENS_DIA_PADRAO, LIMITE_MAXIMO)
  const params = { id: usuario.id }

  const receber = (alterado: UsuarioAdmin): void => {
    setSalvo(alterado)
    onAlterado(alterado)
  }
  const aplicarPlano = async (plano: Plano): Promise<void> => {
    setOcupado(plano)
    try {
      const alterado = (await call(planoUsuarioRoute, { params, body: { plano } })).usuario
      receber(alterado)
      setLimite(String(alterado.limiteMensagensDia))
      avisar.sucesso(`Plano ${ROTULO_DO_PLANO[plano]} aplicado com sucesso!`)
    } catch (erro) {
      avisarErro('Erro ao salvar alterações', erro)
    }
    setOcupado(null)
  }
  const salvar = async (evento: FormEvent): Promise<void> => {
    evento.preventDefault()
    if (lido === null) return
    setOcupado('salvar')
    try {
      if (lido !== salvo.limiteMensagensDia)
        receber((await call(limiteMensagensRoute, { params, body: { limiteMensagensDia: lido } })).usuario)
      // Sends only the changed switches, so that changes by another administrator are kept.
      const mudados = COMPONENTES_DO_PAINEL.filter(({ id }) => componentes[id] !== usuario.componentesPermitidos[id])
      const componentesPermitidos = Object.fromEntries(mudados.map(({ id }) => [id, componentes[id]]))
      if (mudados.length > 0)
        receber((await call(permissoesUsuarioRoute, { params, body: { componentesPermitidos } })).usuario)
      avisar.sucesso('Configurações do usuário atualizadas com sucesso!')
      onFechar()
    } catch (erro) {
      avisarErro('Erro ao salvar alterações', erro)
    }
    setOcupado(null)
  }
  return (
    <>
      <Planos atual={salvo.plano} ocupado={ocupado} onAplicar={(plano) => void aplicarPlano(plano)} />
      <form noValidate onSubmit={(evento) => void salvar(evento)} className="grid gap-6">
        <TextField
          rotulo="Limite diário de mensagens"
          type="number"
          min={1}
          inputMode="numeric"
          value={limite}
          placeholder={String(LIMITE_MENSAGENS_DIA_PADRAO)}
          dica={`Vale na hora. Vazio: ${formatNumber(LIMITE_MENSAGENS_DIA_PADRAO)}.`}
          erro={lido === null ? 'Informe um número inteiro, a partir de 1' : undefined}
          onChange={({ currentTarget }) => setLimite(currentTarget.value)}
          onBlur={() => lido !== null && setLimite(String(lido))}
        />
        <Permissoes
          componentes={componentes}
          onMudar={(id, ligado) => setComponentes({ ...componentes, [id]: ligado })}
        />
        <div className="sticky bottom-0 -mx-5 -mb-5 flex justify-end gap-2 border-t border-line bg-surface px-5 py-3">
          <Button className="min-h-11" onClick={onFechar}>
            Cancelar
          </Button>
          <Button
            type="submit"
            variante="primary"
            className="min-h-11"
            ocupado={ocupado === 'salvar'}
            disabled={lido === null || ocupado !== null}
          >
            {ocupado === 'salvar' ? 'Salvando…' : 'Salvar alterações'}
          </Button>
        </div>
      </form>
    </>
  )
}

interface PlanosProps {
  readonly atual: Plano
  readonly ocupado: 'salvar' | Plano | null
  readonly onAplicar: (plano: Plano) => void
}

function Planos({ atual, ocupado, onAplicar }: PlanosProps) {
  return (
    <section aria-labelledby="plano">
      <h3 id="plano" className="mb-2 font-bold">
        Plano
      </h3>
      <p className="-mt-1 mb-2 text-sm text-muted">
        Os limites de um plano valem depois de aplicados. A conta nova começa sem eles, com IA e menu ilimitado.
      </p>
      <ul className="grid gap-2">
        {PLANOS.map((plano) => {
          const { limiteMensagensDia, ia, opcoesMenuMaximo } = PRESET_DO_PLANO[plano]
          const menu = opcoesMenuMaximo === null ? 'menu ilimitado' : `menu com até ${opcoesMenuMaximo} opções`
          return (
            <li key={plano} className="flex items-center justify-between gap-3 rounded-xl border border-line p-3">
              <div className="min-w-0">
                <p className="flex flex-wrap items-center gap-2 font-semibold">
                  {ROTULO_DO_PLANO[plano]}
                  {plano === atual && <Chip tom="verde">Atual</Chip>}
                </p>
                <p className="text-sm text-muted">
                  {formatNumber(limiteMensagensDia)} mensagens por dia, {ia ? 'com IA' : 'sem IA'}, {menu}
                </p>
              </div>
              <Button
                tamanho="sm"
                className="min-h-10"
                aria-label={`Aplicar plano ${ROTULO_DO_PLANO[plano]}`}
                ocupado={ocupado === plano}
                disabled={ocupado !== null}
                onClick={() => onAplicar(plano)}
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

interface PermissoesProps {
  readonly componentes: UsuarioAdmin['componentesPermitidos']
  readonly onMudar: (id: Componente, ligado: boolean) => void
}

function Permissoes({ componentes, onMudar }: PermissoesProps) {
  return (
    <fieldset>
      <legend className="mb-2 font-bold">Componentes permitidos</legend>
      <div className="grid gap-2">
        {COMPONENTES_DO_PAINEL.map(({ id, rotulo }) => (
          <Switch key={id} rotulo={rotulo} ligado={componentes[id]} onMudar={(ligado) => onMudar(id, ligado)} />
        ))}
      </div>
    </fieldset>
  )
}
