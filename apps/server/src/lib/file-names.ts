export const FOLDER_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
export const FILE_NAME = /^[0-9a-f]{32}\.[a-z0-9]{2,5}$/
const NOTE_FOLDER = /^[a-z]{1,20}$/
export const NOTE_NAME = /^[\w-]{1,200}$/

/** Throws unless the path of a note is `folder/name`. */
export function requireNotePath(path: string): void {
  const [folder = '', name = '', ...rest] = path.split('/')
  if (!NOTE_FOLDER.test(folder) || !NOTE_NAME.test(name) || rest.length > 0) throw new Error('invalid path of a note')
}

export function requireContaId(contaId: string): void {
  if (!FOLDER_NAME.test(contaId)) throw new Error('invalid account id')
}

export function requireFileName(name: string): void {
  if (!FILE_NAME.test(name)) throw new Error('invalid file name')
}
