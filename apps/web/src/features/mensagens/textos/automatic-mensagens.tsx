import { CONTADOR } from '@balcao/contract/constants'
import type { MenuConfig } from '@balcao/contract/entities/config'
import type { LabelledFields } from '#shared/form/labelled-fields.ts'
import { Select, type SelectProps } from '#shared/ui/select.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { TextEditor } from './text-editor.tsx'

const FIELDS: LabelledFields<MenuConfig['mensagens']> = [
  { campo: 'boasVindas', rotulo: 'Boas-vindas', dica: 'Abre a conversa, antes do menu.' },
  { campo: 'opcaoInvalida', rotulo: 'Opção inválida', dica: 'O número escolhido não está no menu.' },
  { campo: 'semEntender', rotulo: 'Sem entender', dica: 'O texto não diz nada que o bot conheça.' },
  { campo: 'aguardandoAtendente', rotulo: 'Aguardando atendente', dica: 'O cliente entrou na fila de um setor.' },
  { campo: 'foraPeriodo', rotulo: 'Fora do período', dica: 'Pediram um atendente fora do horário.' },
  { campo: 'despedida', rotulo: 'Despedida', dica: 'O atendimento terminou.' },
]

const JOIN_CHOICES: SelectProps<MenuConfig['juntarMensagens']>['options'] = [
  { valor: 'oficial', rotulo: 'Só na API oficial, que cobra por mensagem' },
  { valor: 'sempre', rotulo: 'Sempre' },
  { valor: 'nunca', rotulo: 'Nunca' },
]

type AutomaticFields = Pick<
  MenuConfig,
  'mensagens' | 'expiraEmMinutos' | 'tentativas' | 'digitando' | 'juntarMensagens' | 'interativo'
>

export interface AutomaticMensagensProps {
  readonly menu: AutomaticFields
  readonly editing: boolean
  readonly onChange: (fields: Partial<AutomaticFields>) => void
}

export function AutomaticMensagens({ menu, editing, onChange: onMudar }: AutomaticMensagensProps) {
  const whole = (text: string, minimo: number, maximo: number): number =>
    Math.min(maximo, Math.max(minimo, Math.round(Number(text)) || minimo))
  const parsed = editing ? '' : '!border-transparent !bg-sunken'
  return (
    <div className="grid gap-5">
      {FIELDS.map(({ campo, rotulo, dica }) => (
        <TextEditor
          key={campo}
          label={rotulo}
          value={menu.mensagens[campo]}
          counter={CONTADOR.mensagem}
          editing={editing}
          hint={dica}
          onChange={(text) => onMudar({ mensagens: { ...menu.mensagens, [campo]: text } })}
        />
      ))}
      <p className="text-sm text-muted">
        Você pode usar: {'{nome} {telefone} {empresa} {linha} {protocolo} {data} {hora} {horario} {link}'}. Cada um é
        trocado pelo valor na hora do envio. Em “Aguardando atendente”, use também {'{posicao}'} e {'{espera}'}: o
        trecho entre {'[[ e ]]'} sai quando não há estimativa.
      </p>
      <div className="grid gap-4 border-t border-line pt-5 sm:grid-cols-2">
        <TextField
          label="Recomeçar depois de (minutos)"
          type="number"
          min={1}
          max={1440}
          readOnly={!editing}
          className={parsed}
          value={menu.expiraEmMinutos}
          hint="Sem mensagens por esse tempo, a conversa começa de novo pelas boas-vindas."
          onChange={({ currentTarget }) => onMudar({ expiraEmMinutos: whole(currentTarget.value, 1, 1440) })}
        />
        <TextField
          label="Tentativas antes de oferecer um atendente"
          type="number"
          min={1}
          max={20}
          readOnly={!editing}
          className={parsed}
          value={menu.tentativas}
          hint="Erros seguidos do cliente no menu."
          onChange={({ currentTarget }) => onMudar({ tentativas: whole(currentTarget.value, 1, 20) })}
        />
      </div>
      <Sending menu={menu} editing={editing} onChange={onMudar} />
    </div>
  )
}

function Sending({ menu, editing, onChange }: AutomaticMensagensProps) {
  return (
    <>
      <Switch
        label="Mostrar “digitando…” antes de responder"
        hint="Deixa a conversa mais natural."
        on={menu.digitando}
        disabled={!editing}
        onChange={(digitando) => onChange({ digitando })}
      />
      <Select
        label="Juntar as respostas em uma mensagem"
        hint="Na API oficial, cada mensagem é cobrada. Juntas, as boas-vindas e o menu contam como uma."
        value={menu.juntarMensagens}
        options={JOIN_CHOICES}
        disabled={!editing}
        onChange={(juntarMensagens) => onChange({ juntarMensagens })}
      />
      <Switch
        label="Mandar o menu com botões na API oficial"
        hint="Até 3 opções viram botões, e até 10, uma lista. O cliente ainda pode responder com o número."
        on={menu.interativo}
        disabled={!editing}
        onChange={(interativo) => onChange({ interativo })}
      />
    </>
  )
}
