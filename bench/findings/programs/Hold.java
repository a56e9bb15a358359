/* SPDX-License-Identifier: Apache-2.0 */
/* Hold MEGABYTES: reads so much into memory. */
import java.util.ArrayList;
import java.util.Arrays;

public class Hold {
	public static void main(String[] args) {
		ArrayList<byte[]> parts = new ArrayList<>();
		for (int i = 0; i < Integer.parseInt(args[0]); i++) {
			byte[] part = new byte[1 << 20];
			Arrays.fill(part, (byte) 'A');
			parts.add(part);
		}
		System.out.println(parts.size());
	}
}
