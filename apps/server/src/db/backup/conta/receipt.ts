import type { Vault } from '#security/vault.ts'

/** Statement of the target that it imported the conta. `to` is its public address. */
export interface MoveReceipt {
  readonly contaId: string
  readonly move: string
  readonly to: string
}

const signedText = ({ contaId, move, to }: MoveReceipt): string => `mudanca|${contaId}|${move}|${to}`

/** A text that the administrator carries from the target to the source. Both have the same secret. */
export function encodeReceipt(vault: Pick<Vault, 'sign'>, receipt: MoveReceipt): string {
  return `${Buffer.from(receipt.to).toString('base64url')}.${vault.sign(signedText(receipt))}`
}

/** Returns the address of the target. Null: not a receipt of this move. */
export function openReceipt(
  vault: Pick<Vault, 'isSigned'>,
  text: string,
  move: Omit<MoveReceipt, 'to'>,
): string | null {
  const [address = '', signature = ''] = text.split('.')
  const to = Buffer.from(address, 'base64url').toString()
  return vault.isSigned(signedText({ ...move, to }), signature) ? to : null
}
