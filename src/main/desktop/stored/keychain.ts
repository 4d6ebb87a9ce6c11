import { safeStorage } from 'electron';
import type { Keychain } from './secrets';

/**
 * Electron's safeStorage. On Linux without a keyring it falls back to a fixed password, which protects
 * nothing.
 */
export const systemKeychain: Keychain = {
  trouble: () => {
    if (process.platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text') {
      return 'no keyring (GNOME Keyring, KWallet) is running here, and Muster stores no secret in plain text';
    }
    return safeStorage.isEncryptionAvailable() ? null : 'the system’s keychain is not available';
  },
  encrypt: (text) => safeStorage.encryptString(text),
  decrypt: (bytes) => safeStorage.decryptString(bytes),
};
