import { CONNECTORS, type ConectorTipo } from '@balcao/contract/connectors'

const CHOICE: Readonly<Record<ConectorTipo, string>> = {
  simulador: 'Para treinar, sem celular. Nenhum cliente real recebe mensagens.',
  whatsapp: 'O bot usa o número que já está no celular da loja, com um QR Code ou um código digitado.',
  navegador: 'O mesmo, por um navegador no servidor. Use se o primeiro não conectar.',
  oficial: 'Um número cadastrado na Meta. Você informa os dados dele na aba Geral.',
  webchat: 'Um botão de conversa nas páginas da loja. Não precisa de número.',
}

interface ConnectorOptionProps {
  readonly name: ConectorTipo
  readonly checked: boolean
  readonly onPick: () => void
}

export function ConnectorOption({ name, checked, onPick }: ConnectorOptionProps) {
  return (
    <label className="grid cursor-pointer grid-cols-[auto_minmax(0,1fr)] gap-x-3 rounded-[10px] border border-line-strong/50 p-3 has-checked:border-brand has-checked:bg-brand-soft">
      <input type="radio" className="accent-brand" name="conector" value={name} checked={checked} onChange={onPick} />
      <span className="font-semibold">{CONNECTORS[name].label}</span>
      <span className="col-start-2 text-sm text-muted">{CHOICE[name]}</span>
    </label>
  )
}
